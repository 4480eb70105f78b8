// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// For the developers of this package: words in BANYAN_DEV, with commas between them. Nobody else needs any of them.
//   plugin      loads the macro plugin from .build/debug, where `make plugin` builds it, instead of building it again. Release
//               builds then need not compile swift-syntax, optimised, which takes minutes. And tests that depend on a macro
//               are tools of the host, for which all that they test would be compiled once more: only the tests of the
//               macros need that, and they are left out then. The engine is optimised in debug builds, with its assertions.
//   tests=A+B   leaves out all test targets but these.
//   optimized   optimises the tests too: under the address sanitizer what they compare with would take an hour.
//   threads     uses locks that the thread sanitizer knows: see `Mutex+ThreadSanitizer.swift`.
//   docs        resolves the plugin that makes the documentation.
// CONTRIBUTING.md lists those for tests when they run.
let wishes = (Context.environment["BANYAN_DEV"] ?? "").split(separator: ",").map(String.init)
let loadsPlugin = wishes.contains("plugin")
let onlyTests = wishes.first { $0.hasPrefix("tests=") }?.dropFirst(6).split(separator: "+").map(String.init)
let forThreadSanitizer = wishes.contains("threads")
let documentation: [Package.Dependency] =
    wishes.contains("docs") ? [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")] : []

// Each flag with the proposal that explains it, at https://github.com/swiftlang/swift-evolution.
let upcoming = [
    "ExistentialAny",  // SE-0335
    "InternalImportsByDefault",  // SE-0409
    "MemberImportVisibility",  // SE-0444
    "NonisolatedNonsendingByDefault",  // SE-0461
].filter { !forThreadSanitizer || $0 != "MemberImportVisibility" }
// Unsafe flags are fine here: they are never set in a package that depends on this one.
let plugin = "\(Context.packageDirectory)/.build/debug/BanyanMacros-tool#BanyanMacros"
let loadPlugin: [SwiftSetting] =
    loadsPlugin ? [.unsafeFlags(["-Xfrontend", "-load-plugin-executable", "-Xfrontend", plugin])] : []
let features: [SwiftSetting] =
    upcoming.map { .enableUpcomingFeature($0) } + loadPlugin
    + (forThreadSanitizer ? [.define("BANYAN_THREAD_SANITIZER")] : [])

// The tests of `make` spend their time in the engine, and in the naive model beside it: they are optimised, and assert all
// the same.
let engine: [SwiftSetting] =
    features
    + (!loadsPlugin ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))])

let tests = wishes.contains("optimized") ? engine : features

let package = Package(
    name: "banyan",
    // Not iOS: liblz4 and libxxhash are libraries of the system, and it has neither.
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Banyan", targets: ["Banyan"]),
        .executable(name: "banyan", targets: ["BanyanCLI"]),
    ],
    traits: [
        .trait(
            name: "HandleReuse",
            description: """
                Loops over objects use one handle again instead of making one for each object. This reads and writes the word \
                in which the Swift runtime counts references, after a check at start that it does what is expected.
                """),
        .default(enabledTraits: ["HandleReuse"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.0"),
    ] + documentation,
    targets: [
        .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
        .systemLibrary(
            name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),

        // One instruction that Swift has no word for.
        .target(name: "CPrefetch"),
        .target(name: "BanyanCore", dependencies: ["CPrefetch"], swiftSettings: engine),
        .target(
            name: "BanyanPersistence", dependencies: ["BanyanCore", "CLZ4", "CXXHash"], swiftSettings: engine),
        .macro(
            name: "BanyanMacros",
            dependencies: [
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ],
            swiftSettings: features),
        .target(
            name: "Banyan",
            dependencies: ["BanyanCore", "BanyanPersistence"] + (loadsPlugin ? [] : ["BanyanMacros"]),
            swiftSettings: features),
        .target(
            name: "BanyanTesting", dependencies: ["Banyan", "BanyanCore", "BanyanPersistence"],
            swiftSettings: tests),
        .executableTarget(
            name: "BanyanCLI",
            dependencies: [
                "BanyanCore", "BanyanPersistence",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: features),

        // MARK: Tests

        .testTarget(
            name: "BanyanCoreTests", dependencies: ["BanyanCore"],
            exclude: ["Values/decimal128_vectors.py", "Values/decimal128_vectors.txt"], swiftSettings: tests),
        .testTarget(
            name: "BanyanPersistenceTests", dependencies: ["BanyanPersistence", "BanyanTesting", "BanyanCore"],
            // Read where they lie.
            exclude: ["Fixtures/Stores", "Fixtures/read_store.py"], swiftSettings: tests),
        .testTarget(
            name: "BanyanTests", dependencies: ["Banyan", "BanyanCore", "BanyanPersistence", "BanyanTesting"],
            // They are compiled one by one, while the tests run.
            exclude: ["Guides", "MustCompile", "MustNotCompile"], swiftSettings: tests),
        .testTarget(
            name: "BanyanCLITests", dependencies: ["BanyanCLI", "BanyanCore", "BanyanPersistence"],
            swiftSettings: features),
        // A runtime in miniature, so that expansions are compiled and run without waiting for the real one.
        .target(
            name: "MockRuntime", dependencies: ["BanyanMacros"], path: "Tests/BanyanMacrosTests/MockRuntime",
            swiftSettings: features),
        .testTarget(
            name: "BanyanMacrosTests",
            dependencies: [
                "BanyanMacros", "MockRuntime",
                .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
            ],
            exclude: ["MockRuntime"], swiftSettings: features),
        // Model-based tests: a naive model beside the graph.
        .testTarget(
            name: "ModelTests", dependencies: ["BanyanCore", "BanyanPersistence", "BanyanTesting"],
            swiftSettings: engine),
        // The child that crash tests kill, and what both sides know of what it writes. It links Core and Persistence only,
        // so it starts in milliseconds. The tests need it built, and import none of it: an executable's module may be made
        // after theirs.
        .target(
            name: "CrashLedger", dependencies: ["BanyanCore", "BanyanPersistence"],
            path: "Tests/CrashTests/CrashLedger", swiftSettings: features),
        .executableTarget(
            name: "CrashWriter", dependencies: ["BanyanCore", "BanyanPersistence", "CrashLedger"],
            path: "Tests/CrashTests/CrashWriter", swiftSettings: features),
        .testTarget(
            name: "CrashTests", dependencies: ["BanyanCore", "BanyanPersistence", "CrashLedger", "CrashWriter"],
            exclude: ["CrashLedger", "CrashWriter"], swiftSettings: features),
        .testTarget(name: "DebianPackagesTests", dependencies: ["DebianPackages"], swiftSettings: features),

        // MARK: Playgrounds: each page is an executable, so that it also runs with `swift run`, and CI compares its output.

        .target(name: "DebianPackages", path: "Playgrounds/Debian.playground/Sources", swiftSettings: features),
        .target(name: "DemoKit", path: "Playgrounds/Support", swiftSettings: features),
        .executableTarget(
            name: "DebianDemo", dependencies: ["Banyan", "DebianPackages", "DemoKit"],
            path: "Playgrounds/Debian.playground/Pages/01-Package-Index.xcplaygroundpage", swiftSettings: features),
        .executableTarget(
            name: "TourFirstSteps", dependencies: ["Banyan"],
            path: "Playgrounds/Tour.playground/Pages/01-First-Steps.xcplaygroundpage", swiftSettings: features),
        .executableTarget(
            name: "TourModels", dependencies: ["Banyan"],
            path: "Playgrounds/Tour.playground/Pages/02-Models.xcplaygroundpage", swiftSettings: features),
        .executableTarget(
            name: "TourRelationships", dependencies: ["Banyan"],
            path: "Playgrounds/Tour.playground/Pages/03-Relationships.xcplaygroundpage", swiftSettings: features),
        .executableTarget(
            name: "TourEmbeddedObjects", dependencies: ["Banyan"],
            path: "Playgrounds/Tour.playground/Pages/04-Embedded-Objects.xcplaygroundpage", swiftSettings: features),
        .executableTarget(
            name: "TourCollections", dependencies: ["Banyan"],
            path: "Playgrounds/Tour.playground/Pages/05-Collections.xcplaygroundpage", swiftSettings: features),
        .executableTarget(
            name: "TourInheritance", dependencies: ["Banyan"],
            path: "Playgrounds/Tour.playground/Pages/06-Inheritance.xcplaygroundpage", swiftSettings: features),
    ],
    swiftLanguageModes: [.v6]
)

package.targets.removeAll { target in
    switch target.type {
    // They need the plugin as a target, and so does their runtime.
    case .test where target.name == "BanyanMacrosTests" && loadsPlugin: true
    case .test: onlyTests?.contains(target.name) == false
    default: target.name == "MockRuntime" && loadsPlugin
    }
}
