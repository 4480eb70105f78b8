// # A package index as a live graph
//
// Everything this machine could install, with every relation between any two packages: read from apt, kept by Banyan, asked,
// watched, crashed, recovered, restored. `make run` builds this page and runs it; nothing outside of its own directory is
// changed.

import Banyan
import DebianPackages
import DemoKit
import Foundation

// ## The models
//
// Classes with stored properties. Links know their way back: `reverseDependencies` is not stored here but kept by the graph.

@Model final class Package: Object {
    /// Name and architecture, `bash:amd64`.
    @Persisted(primaryKey: true) var id = ""
    @Persisted(indexed: true) var name = ""
    @Persisted var architecture = ""
    @Persisted var version: Version?
    @Persisted var summary = ""
    /// In KiB.
    @Persisted var installedSize: Int?
    @Persisted var maintainer: Maintainer?
    @Persisted var section: Section?
    @Persisted var dependencies: List<Dependency>
    @Persisted var provides: MutableSet<VirtualPackage>
    /// The version of what it provides, where it says one.
    @Persisted var providedVersions: Map<String, String>
    @Persisted var tags: MutableSet<String>
    /// All other fields of the index.
    @Persisted var fields: Map<String, String>
    @Persisted(originProperty: "target") var reverseDependencies: LinkingObjects<Dependency>
}

/// `[epoch:]upstream[-revision]`. Embedded: it belongs to its package and goes with it.
@Model final class Version: EmbeddedObject {
    @Persisted var epoch = 0
    @Persisted var upstream = ""
    @Persisted var revision = ""

    /// Knows Debian's order.
    var value: DebianVersion {
        get { DebianVersion(epoch: UInt32(epoch), upstream: upstream, revision: revision) }
        set { (epoch, upstream, revision) = (Int(newValue.epoch), newValue.upstream, newValue.revision) }
    }
}

/// One thing that a package asks for; with `orNext`, the one after it in the list would do as well.
@Model final class Dependency: EmbeddedObject {
    enum Kind: String, PersistableEnum {
        case depends = "Depends"
        case preDepends = "Pre-Depends"
        case recommends = "Recommends"
        case suggests = "Suggests"
        case enhances = "Enhances"
        case breaks = "Breaks"
        case conflicts = "Conflicts"
        case replaces = "Replaces"
    }

    @Persisted var kind: Kind
    @Persisted var comparison = ""
    @Persisted var version = ""
    /// What follows the colon in `python3:any`.
    @Persisted var qualifier = ""
    @Persisted var orNext = false
    @Persisted var target: Package?
    /// Where the index has no package of that name.
    @Persisted var virtualTarget: VirtualPackage?
    @Persisted(originProperty: "dependencies") var owners: LinkingObjects<Package>
}

/// A name that packages provide, or ask for in vain.
@Model final class VirtualPackage: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(originProperty: "provides") var providers: LinkingObjects<Package>
    @Persisted(originProperty: "virtualTarget") var reverseDependencies: LinkingObjects<Dependency>
}

@Model final class Maintainer: Object {
    @Persisted(primaryKey: true) var contact = ""
    @Persisted(originProperty: "maintainer") var packages: LinkingObjects<Package>
}

@Model final class Section: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(originProperty: "section") var packages: LinkingObjects<Package>
}

/// What the page writes, one to a commit, to show what commits cost and survive.
@Model final class Visit: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var package: Package?
}

// ## From text to objects
//
// Two passes over the stanzas: the first makes the packages, the second links them, because a package may ask for one that
// comes later. Both are one transaction: a mistake in the text throws, and then nothing was imported.

struct Importer {
    static let kinds: [(field: StaticString, kind: Dependency.Kind)] = [
        ("Depends", .depends), ("Pre-Depends", .preDepends), ("Recommends", .recommends), ("Suggests", .suggests),
        ("Enhances", .enhances), ("Breaks", .breaks), ("Conflicts", .conflicts), ("Replaces", .replaces),
    ]
    static let modelled: [StaticString] =
        kinds.map(\.field) + [
            "Package", "Architecture", "Version", "Installed-Size", "Maintainer", "Section", "Provides", "Tag",
        ]

    let graph: Graph
    let index: PackageIndex
    private var packages: [Package?] = []
    private var byPlace: [PackagePlace: Package] = [:]
    private var virtuals: [String: VirtualPackage] = [:]
    private var maintainers: [String: Maintainer] = [:]
    private var sections: [String: Section] = [:]
    private var tally = Tally()

    struct Tally: Sendable {
        var dependencies = 0
        var links = 0
        var values = 0
    }

    init(_ graph: Graph, _ index: PackageIndex) {
        self.graph = graph
        self.index = index
    }

    mutating func run(_ progress: ProgressBar) throws -> Tally {
        var done = 0
        try index.forEachStanza { stanza in
            packages.append(try makePackage(stanza))
            done += 1
            progress.show(done)
        }
        var next = packages.makeIterator()
        try index.forEachStanza { stanza in
            if case .some(.some(let package)) = next.next() { try link(package, stanza) }
            done += 1
            progress.show(done)
        }
        return tally
    }

    /// Nil for a version that an earlier stanza described already.
    private mutating func makePackage(_ stanza: Stanza) throws -> Package? {
        let name = try stanza.required("Package")
        let architecture = try stanza.required("Architecture")
        let text = try stanza.required("Version")
        guard let version = DebianVersion(text) else { throw stanza.error("'\(text)' is no version", "Version") }

        var id = "\(name):\(architecture)"
        if let other = graph.object(ofType: Package.self, forPrimaryKey: id) {
            if other.version?.value.description == version.description { return nil }
            id += "=\(text)"
            if graph.object(ofType: Package.self, forPrimaryKey: id) != nil { return nil }
        }

        let package = Package()
        package.id = id
        package.name = name
        package.architecture = architecture
        package.version = Version()
        package.version?.value = version
        package.summary = stanza.firstLine("Description") ?? ""
        package.installedSize = stanza["Installed-Size"].flatMap { Int($0) }
        package.maintainer = try maintainer(stanza["Maintainer"])
        package.section = try section(stanza["Section"])
        try graph.add(package)
        // From here on it is live: what is put into its collections goes straight into the graph.
        package.tags.insert(objectsIn: stanza.list("Tag"))
        for position in stanza.indices where !stanza.isNamed(position, Self.modelled) {
            let field = stanza[position]
            package.fields[field.name] = field.value
        }
        tally.links += (package.maintainer == nil ? 0 : 1) + (package.section == nil ? 0 : 1)
        tally.values += package.tags.count + package.fields.count

        // Where there are several versions, relations lead to the newest.
        let place = index.place(name, architecture)
        if let other = byPlace[place]?.version?.value, other > version { return package }
        byPlace[place] = package
        return package
    }

    private mutating func link(_ package: Package, _ stanza: Stanza) throws {
        for (field, kind) in Self.kinds {
            for relation in try stanza.relations(field) {
                let dependency = Dependency()
                dependency.kind = kind
                dependency.comparison = relation.comparison?.rawValue ?? ""
                dependency.version = relation.version
                dependency.qualifier = relation.qualifier
                dependency.orNext = relation.orNext
                let place = index.place(of: relation, from: package.architecture)
                dependency.target = byPlace[place]
                if dependency.target == nil { dependency.virtualTarget = try virtual(place) }
                package.dependencies.append(dependency)
                tally.dependencies += 1
                tally.links += 2
            }
        }
        for relation in try stanza.relations("Provides") {
            package.provides.insert(try virtual(index.place(relation.name, package.architecture)))
            tally.links += 1
            if !relation.version.isEmpty { package.providedVersions[relation.name] = relation.version }
        }
    }

    private mutating func virtual(_ place: PackagePlace) throws -> VirtualPackage {
        let name = place.description(native: index.native)
        if let known = virtuals[name] { return known }
        let new = VirtualPackage()
        new.name = name
        try graph.add(new)
        virtuals[name] = new
        return new
    }

    private mutating func maintainer(_ contact: String?) throws -> Maintainer? {
        guard let contact, !contact.isEmpty else { return nil }
        if let known = maintainers[contact] { return known }
        let new = Maintainer()
        new.contact = contact
        try graph.add(new)
        maintainers[contact] = new
        return new
    }

    private mutating func section(_ name: String?) throws -> Section? {
        guard let name, !name.isEmpty else { return nil }
        if let known = sections[name] { return known }
        let new = Section()
        new.name = name
        try graph.add(new)
        sections[name] = new
        return new
    }
}

// ## What the page was asked for

struct Options {
    var input: String?
    var directory = ".demo/debian"
    /// The `banyan` command line.
    var tool: String?
    /// Set in the child process that is going to be killed.
    var isVictim = false

    init(_ arguments: [String]) throws {
        var rest = arguments.dropFirst()
        while let word = rest.popFirst() {
            switch word {
            case "--directory": directory = try Self.value(of: word, &rest)
            case "--tool": tool = try Self.value(of: word, &rest)
            case "--victim": isVictim = true
            case _ where word.hasPrefix("--"): throw Wrong(description: "unknown option \(word)")
            default: input = word
            }
        }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else { throw Wrong(description: "\(option) needs a value") }
        return value
    }

    struct Wrong: Error { var description: String }

    var models: [ObjectBase.Type] { [Package.self, Visit.self] }

    func open(_ path: String? = nil) async throws -> Store {
        try await Store.open(.init(directory: path ?? directory, models: models))
    }
}

/// Every package that apt knows; else those that dpkg installed; else a small sample that comes with this page.
func readIndex(_ options: Options) throws -> PackageIndex {
    if let path = options.input { return try PackageIndex(path == "-" ? .standardInput : .file(path)) }
    if Machine.has("apt-cache") {
        let index = try PackageIndex(.command(["apt-cache", "dumpavail"]))
        if index.count > 0 { return index }
    }
    let status = "/var/lib/dpkg/status"
    if FileManager.default.fileExists(atPath: status) { return try PackageIndex(.file(status)) }
    let resources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Resources")
    return try PackageIndex(.file(resources.appending(path: "sample-packages.txt").standardizedFileURL.path))
}

// ## What there is to see

/// Who is asked for by most packages, whatever the number of times.
func mostNeeded(_ graph: Graph, _ count: Int) -> [(package: Package, askers: Int)] {
    let all = graph.objects(Package.self).map { package in
        let askers = package.reverseDependencies.lazy.filter { $0.kind == .depends || $0.kind == .preDepends }
        return (package: package, askers: Set(askers.compactMap { $0.owners.first?.id }).count)
    }
    return Array(all.sorted { ($1.askers, $0.package.id) < ($0.askers, $1.package.id) }.prefix(count))
}

/// Asks apt the same questions about the same text. Returns what differs.
func compareWithApt(_ graph: Graph, _ index: PackageIndex) throws -> [String] {
    guard Machine.has("apt-cache") else {
        Page.line("apt-cache is not installed: nothing to compare with")
        return []
    }
    let apt = try AptCache(index: index.bytes, architectures: index.architectures)
    let packages = graph.objects(Package.self)
    let counted = try apt.packageCount()
    guard counted == packages.count else { return ["packages: \(packages.count) here, \(counted) in apt"] }
    Page.line("agrees with apt-cache: \(Shown.count(counted, "package"))")
    guard index.architectures.count == 1 else {
        Page.line("several architectures: apt adds relations of its own between them, so those are not compared")
        return []
    }

    // A name with an architecture, as in `python3:any`, is a name of its own for apt; here it leads to python3.
    var mine: [String: [String]] = [:]
    for package in packages {
        let askers = package.reverseDependencies.filter(\.qualifier.isEmpty)
        mine[package.name, default: []] += askers.map { "\($0.owners.first?.name ?? "?") \($0.version)" }
    }
    let theirs = try apt.reverseDependencies(of: mine.keys.sorted())
    var differences: [String] = []
    for (name, askers) in mine where askers.sorted() != theirs[name] ?? [] {
        let (here, there) = (Set(askers), Set(theirs[name] ?? []))
        let only = here.symmetricDifference(there).sorted().prefix(3).joined(separator: ", ")
        differences.append("what asks for \(name): \(askers.count) here, \(theirs[name]?.count ?? 0) in apt: \(only)")
    }
    if differences.isEmpty {
        let relations = mine.values.reduce(0) { $0 + $1.count }
        Page.line("agrees with apt-cache: \(Shown.count(relations)) reverse dependencies, those of every package")
    }
    return differences
}

/// Watches the packages that fill more than a gigabyte while one of them grows, is renamed, and shrinks again.
@MainActor func watch(_ store: Store, _ id: String) async throws {
    let graph = Graph(store)
    let (reports, said) = AsyncStream.makeStream(of: String.self)
    let large = graph.objects(Package.self).where { $0.installedSize > 1_000_000 }.sorted(by: \.name)
    let token = large.observe { change in
        switch change {
        case .initial(let packages): said.yield("\(Shown.count(packages.count, "package")) to begin with")
        case .update(let packages, let deletions, let insertions, let modifications):
            let isItself = { (i: Int) in packages[i].id == id }
            var parts = insertions.map { "\(packages[$0].name) came in as number \($0 + 1)" }
            parts += deletions.map { "number \($0 + 1) went out" }
            if parts.isEmpty, modifications.contains(where: isItself) { parts.append("it changed") }
            // A package counts as changed, too, when one that it leads to did. Positions are those before the change, and
            // are the same after it where nothing came or went.
            let others = modifications.count - (parts.first == "it changed" ? 1 : 0)
            if others > 0 { parts.append("\(others) of the others lead to it") }
            said.yield("\(parts.joined(separator: ", ")); \(packages.count) now")
        }
    }
    var report = reports.makeAsyncIterator()
    Page.fact("query", "packages over 1 GB, by name: \(await report.next() ?? "")")

    let before = store.read { graph in
        graph.object(ofType: Package.self, forPrimaryKey: id).map { ($0.installedSize, $0.summary) }
    }
    guard let (size, summary) = before else { throw Failed(description: "\(id) is not there") }
    let steps: [(String, @Sendable (Package) -> Void)] = [
        ("it grows", { $0.installedSize = 2_000_000 }), ("its summary changes", { $0.summary = "grown a lot" }),
        ("all as it was", { ($0.installedSize, $0.summary) = (size, summary) }),
    ]
    for (what, change) in steps {
        try await store.write { graph in
            if let package = graph.object(ofType: Package.self, forPrimaryKey: id) { change(package) }
        }
        Page.fact(what, await report.next() ?? "")
    }
    token.invalidate()
}

/// A commit of one object each time, and in turns with it what this disk asks for appending and flushing alone.
func measureCommits(_ store: Store, _ id: String, in directory: String) async throws -> (
    commit: Duration, raw: Duration
) {
    let disk = try RawDisk(in: directory)
    var commits: [Duration] = []
    var appends: [Duration] = []
    for number in 1...200 {
        let start = ContinuousClock.now
        try await addVisit(number, to: id, store)
        commits.append(.now - start)
        appends.append(try disk.appendAndFlush(256))
    }
    return (commits.sorted()[100], appends.sorted()[100])
}

func addVisit(_ number: Int, to id: String, _ store: Store) async throws {
    try await store.write { graph in
        let visit = Visit()
        visit.number = number
        visit.package = graph.object(ofType: Package.self, forPrimaryKey: id)
        try graph.add(visit)
    }
}

/// The child process: commits, and says so only when the commit is durable, until it is killed.
func commitUntilKilled(_ options: Options) async throws {
    let store = try await options.open()
    let (first, id) = store.read { graph in
        (graph.objects(Visit.self).max(of: \.number) ?? 0, graph.objects(Package.self).first?.id ?? "")
    }
    for number in (first + 1)... {
        try await addVisit(number, to: id, store)
        FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }
}

/// Kills a process in the middle of its commits. Returns the last number it had been told was safe.
func killWriter(_ options: Options) throws -> Int {
    let child = try Child.again(["--victim", "--directory", options.directory])
    var acknowledged = 0
    for _ in 0..<100 {
        guard let line = try child.nextLine(), let number = Int(line) else { break }
        acknowledged = number
    }
    child.kill()
    while let line = try child.nextLine() { acknowledged = Int(line) ?? acknowledged }
    guard child.wasKilled, acknowledged > 0 else {
        throw Failed(description: "the child process ended before it was killed")
    }
    return acknowledged
}

struct Failed: Error, CustomStringConvertible { var description: String }

// ## The page

func run(_ options: Options) async throws {
    let place = DemoDirectory(options.directory)
    try place.prepare()
    var differences: [String] = []

    Page.heading("Reading")
    var clock = ContinuousClock.now
    let index = try readIndex(options)
    guard index.count > 0 else { throw Failed(description: "\(index.input) has no packages") }
    Page.fact("input", "\(index.input): \(Shown.bytes(index.bytes.count)), \(Shown.count(index.count, "package"))")
    Page.fact("read and checked", "in \(Shown.time(.now - clock))")

    Page.heading("Importing, in one transaction")
    var store = try await options.open()
    clock = .now
    let processor = Machine.processorTime()
    let progress = ProgressBar("importing", of: index.count * 2)
    let tally = try await store.write(.init(reason: "import of \(index.input)")) { graph in
        var importer = Importer(graph, index)
        return try importer.run(progress)
    }
    progress.finish()
    let used = Machine.processorTime() - processor
    Page.fact("durable", "in \(Shown.time(.now - clock)), \(Shown.time(used)) of them on a processor")
    let objects = store.read { graph in
        [
            Shown.count(graph.objects(Package.self).count, "package"),
            Shown.count(tally.dependencies) + " dependencies",
            Shown.count(graph.objects(VirtualPackage.self).count, "virtual package"),
            Shown.count(graph.objects(Maintainer.self).count, "maintainer"),
            Shown.count(graph.objects(Section.self).count, "section"),
        ].joined(separator: ", ")
    }
    Page.fact("objects", objects)
    Page.fact("between them", "\(Shown.count(tally.links, "link")), each known at both ends")
    Page.fact("besides", Shown.count(tally.values) + " tags and other fields")
    if let memory = try Machine.residentMemory() {
        Page.fact(
            "memory", "\(Shown.bytes(memory.now)) resident, \(Shown.bytes(memory.peak)) at most, the text included")
    }

    Page.heading("The ten packages that most others need")
    clock = .now
    let favourite = try store.read { graph in
        let top = mostNeeded(graph, 10)
        Page.table(top.map { [Shown.count($0.askers), $0.package.name, String($0.package.summary.prefix(60))] })
        Page.line("counted from the inverse links of every package, in \(Shown.time(.now - clock))")
        differences += try compareWithApt(graph, index)
        return top[0].package.id
    }

    Page.heading("A live query, while \(favourite) changes")
    try await watch(store, favourite)

    Page.heading("Durable commits of one object")
    let cost = try await measureCommits(
        store, favourite, in: URL(filePath: options.directory).deletingLastPathComponent().path)
    Page.fact(
        "each takes", "\(Shown.time(cost.commit)); the disk alone asks \(Shown.time(cost.raw)) to append and flush")

    Page.heading("The snapshot")
    clock = .now
    try await store.checkpoint()
    guard let snapshot = try place.newestSnapshot() else { throw Failed(description: "there is no snapshot") }
    let size = try DemoDirectory.size(of: snapshot)
    let share = Double(size) / Double(index.bytes.count) * 100
    Page.fact(
        "written",
        "in \(Shown.time(.now - clock)): \(Shown.bytes(size)), \(Int(share.rounded())) % of the text it came from")
    try await store.close()
    clock = .now
    store = try await options.open()
    Page.fact("opened again", "in \(Shown.time(.now - clock)), every object and index")
    try await store.close()

    Page.heading("A crash")
    let acknowledged = try killWriter(options)
    Page.fact("killed (SIGKILL)", "a process that had been told that commit \(Shown.count(acknowledged)) was safe")
    clock = .now
    store = try await options.open()
    let found = store.read { graph in
        graph.objects(Visit.self).filter { $0.package?.id != nil }.map(\.number).max() ?? 0
    }
    let visits = store.read { $0.objects(Visit.self).count }
    Page.fact("recovered", "in \(Shown.time(.now - clock)): commit \(Shown.count(found)) is there, and all before it")
    if found < acknowledged || found > acknowledged + 1 || visits != found {
        differences.append("after the crash: \(acknowledged) acknowledged, \(found) found, \(visits) in all")
    }
    try await store.close()

    if let tool = options.tool {
        Page.heading("The command line, which knows none of these classes")
        let copy = DemoDirectory(options.directory + ".restored")
        try copy.prepare()
        for words in [["restore", snapshot, "--to", copy.path], ["verify", copy.path]] {
            Page.line("$ banyan \(words.joined(separator: " "))")
            let (output, status) = try Child(tool, words).finish()
            for line in output.split(separator: "\n") { Page.line("  \(line)") }
            if status != 0 { differences.append("banyan \(words[0]) ended with status \(status)") }
        }
    }

    guard differences.isEmpty else {
        Page.heading("What is not as it should be")
        for difference in differences.prefix(20) { Page.line(difference) }
        throw Failed(description: Shown.count(differences.count, "difference"))
    }
    Page.heading("The store is yours: \(options.directory)")
    let tool = options.tool ?? "banyan"
    Page.line("\(tool) info \(options.directory)")
    let query = #"Package "section.name == 'shells'" --sort 'installedSize desc' --columns name,summary"#
    Page.line("\(tool) query \(options.directory) \(query)")
}

do {
    let options = try Options(CommandLine.arguments)
    if options.isVictim { try await commitUntilKilled(options) }
    try await run(options)
} catch {
    FileHandle.standardError.write(Data("\nThe page stopped: \(error)\n".utf8))
    exit(1)
}
