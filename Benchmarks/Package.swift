// swift-tools-version: 6.2
import PackageDescription

// As in the package above: `make bench` builds the macro plugin once and loads it here.
let loadsPlugin = (Context.environment["BANYAN_DEV"] ?? "").split(separator: ",").contains("plugin")
let plugin = "\(Context.packageDirectory)/../.build/debug/BanyanMacros-tool#BanyanMacros"
let loadPlugin: [SwiftSetting] =
    loadsPlugin ? [.unsafeFlags(["-Xfrontend", "-load-plugin-executable", "-Xfrontend", plugin])] : []

// A package of its own, so that what Banyan is compared with is never a dependency of those who use it.
let package = Package(
    name: "banyan-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "banyan", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "CBench", providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
        // What needs neither Banyan nor its peers: the table, the plots, the thresholds.
        .target(name: "BenchKit"),
        .testTarget(name: "BenchKitTests", dependencies: ["BenchKit"]),
        .executableTarget(
            name: "Bench",
            dependencies: [
                "BenchKit", "CBench",
                .product(name: "Banyan", package: "banyan"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")] + loadPlugin),
    ],
    swiftLanguageModes: [.v6]
)
