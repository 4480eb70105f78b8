// swift-tools-version: 6.2
import PackageDescription

// As in the package above: `make bench` builds the macro plugin once and loads it here.
let plugin = Context.environment["BANYAN_MACRO_PLUGIN"]
let loadPlugin: [SwiftSetting] =
    plugin.map { path in
        [.unsafeFlags(["-Xfrontend", "-load-plugin-executable", "-Xfrontend", "\(path)#BanyanMacros"])]
    } ?? []

// A package of its own, so that what Banyan is compared with is never a dependency of those who use it.
let package = Package(
    name: "banyan-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "banyan", path: "..")],
    targets: [
        .executableTarget(
            name: "Bench", dependencies: [.product(name: "Banyan", package: "banyan")], swiftSettings: loadPlugin)
    ],
    swiftLanguageModes: [.v6]
)
