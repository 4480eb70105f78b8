import Banyan
import Foundation
import Testing

/// Which stored property a key path names, and that nothing is read to find that out.
@Suite("Key paths of queries")
struct KeyPathTests {
    private func graph(_ count: Int = 0) throws -> Graph {
        let graph = Graph(try Store(.init(models: [RedMacaw.self])))
        try graph.write {
            var last: Cockatoo?
            for i in 0..<count {
                let parrot = i.isMultiple(of: 3) ? Macaw() : Cockatoo()
                (parrot.id, parrot.age, parrot.nick) = (i, i * 7 % 5, i.isMultiple(of: 4) ? nil : "nick \(i * 5 % 7)")
                (parrot.name, parrot.mood, parrot.any) = (
                    "name \(i * 3 % 8)", i.isMultiple(of: 2) ? .wild : .calm, .int(i)
                )
                let perch = Roost()
                (perch.height, perch.wood) = (i * 11 % 6, i.isMultiple(of: 5) ? nil : "wood \(i % 3)")
                parrot.perch = i.isMultiple(of: 6) ? nil : perch
                parrot.cage.label = "cage \(i * 2 % 9)"
                parrot.cage.keeper = Warden()
                parrot.cage.keeper?.name = "keeper \(i * 4 % 7)"
                parrot.cage.keeper?.boss = last?.cage.keeper
                parrot.mate = last
                parrot.numbers.append(i)
                try graph.add(parrot)
                last = parrot
            }
        }
        return graph
    }

    enum Way: CaseIterable {
        case unwraps, indexes, writes, text, note, bool, mood, any, mate, mateName, chicks, numbers, behindLink,
            behindList
        case sorted, sortedNote, sortedBehindLink, sortedThroughComputed, sortedForced, sortedLink, sortedCount
        case sortedThroughRequired, sortedClosure, sortedMember
        case distinct, descriptors, inherited, sortedInherited, requirement

        func results(_ graph: Graph) -> Results<Cockatoo>? {
            let all = graph.objects(Cockatoo.self)
            return switch self {
            case .unwraps: all.where { $0.unwraps > 3 }
            case .indexes: all.where { $0.indexes == 1 && $0.age > 1 }
            case .writes: all.where { $0.age > 1 || $0.writes > 1 }
            case .text: all.where { $0.deadlyText.starts(with: "a") }
            case .note: all.where { $0.deadlyNote == nil }
            case .bool: all.where { $0.isDeadly || $0.age > 1 }
            case .mood: all.where { $0.deadlyMood == .calm }
            case .any: all.where { $0.deadlyAny == .int(1) }
            case .mate: all.where { $0.deadlyMate == nil }
            case .mateName: all.where { $0.deadlyMate.name == "a" }
            case .chicks: all.where { $0.deadlyChicks.age.max > 1 }
            case .numbers: all.where { $0.deadlyNumbers.contains(1) }
            case .behindLink: all.where { $0.mate.mate.deadly > 1 }
            case .behindList: all.where { $0.chicks.deadly > 1 }
            case .sorted: all.sorted(by: \.unwraps)
            case .sortedNote: all.where { $0.age > 1 }.sorted(by: \.deadlyNote, ascending: false)
            case .sortedBehindLink: all.sorted(by: \.mate?.mate?.deadly)
            case .sortedThroughComputed: all.sorted(by: \.deadlyMate?.name)
            case .sortedForced: all.sorted(by: \.mate!.deadly)
            case .sortedLink: all.sorted(by: \.deadlyMate)
            case .sortedCount: all.sorted(by: \.deadlyChicks.count)
            case .sortedThroughRequired: all.sorted(by: \.deadlyCage.label)
            case .sortedClosure: all.sorted { $0.mate.deadly }
            case .sortedMember: all.sorted(by: \.name.count)
            case .distinct: all.distinct(by: [\.name, \.deadly])
            case .descriptors: all.sorted(by: [.init(keyPath: \Cockatoo.age), .init(keyPath: \Cockatoo.perch?.deadly)])
            case .requirement: Self.byAge(all)
            case .inherited, .sortedInherited: nil
            }
        }

        func ofMacaws(_ graph: Graph) -> Results<Macaw>? {
            let all = graph.objects(Macaw.self)
            return switch self {
            case .inherited: all.where { $0.deadlyPlumes > 1 || $0.deadly > 1 }
            case .sortedInherited: all.sorted(by: \.mate?.deadly)
            default: nil
            }
        }

        /// A requirement may be met by a computed property.
        private static func byAge<T: Object & OfAge>(_ all: Results<T>) -> Results<T> { all.sorted(by: \.age) }
    }

    private func expectFault<T: Object>(_ results: Results<T>?, _ way: Way) throws {
        guard let results else { return }
        #expect(results.fault?.code == .invalidQuery)
        #expect(results.fault?.message.contains("does not name a stored property") == true, "\(way)")
        #expect(results.isEmpty && results.count == 0 && results.first == nil && Array(results).isEmpty)
        #expect(throws: BanyanError.self) { try results.checked() }
    }

    @Test("A computed property is refused, and its getter does not run", arguments: Way.allCases, [0, 9])
    func computed(_ way: Way, _ count: Int) throws {
        let graph = try graph(count)
        try expectFault(way.results(graph), way)
        try expectFault(way.ofMacaws(graph), way)
        let error = #expect(throws: BanyanError.self) {
            try graph.write {
                graph.create(Warden.self, count)
                _ = way.results(graph)?.count
                _ = way.ofMacaws(graph)?.count
            }
        }
        #expect(error?.code == .invalidQuery)
        #expect(graph.objects(Warden.self).count == count)
    }

    @Test("Neither #Predicate nor an argument reads a computed property")
    func predicates() throws {
        let graph = try graph(3)
        let all = graph.objects(Cockatoo.self)
        #expect(throws: BanyanError.self) { try all.filter(#Predicate<Cockatoo> { $0.deadly > 1 }) }
        #expect(throws: BanyanError.self) { try all.filter(#Predicate<Cockatoo> { $0.mate?.deadlyText == "a" }) }
        #expect(throws: BanyanError.self) { try all.filter("%K > 1", \Cockatoo.deadly) }
        #expect(throws: BanyanError.self) { try all.filter("%K > 1", \Cockatoo.mate?.deadly) }
        #expect(try all.filter("%K == 1", \Cockatoo.id).count == 1)
        #expect(try all.filter("%K == 1", \Cockatoo.mate?.id).map(\.id) == [2])
        #expect(try all.filter("ANY %K == 1", \Cockatoo.mate?.numbers).map(\.id) == [2])
    }

    /// A key path, and its name.
    struct Name: Sendable, CustomStringConvertible {
        let description: String
        let sorted: @Sendable (Graph) throws -> (Results<Cockatoo>, Results<Cockatoo>)

        init<Value>(_ name: String, _ keyPath: any Sendable & KeyPath<Cockatoo, Value>) {
            description = name
            sorted = { graph in
                let all = graph.objects(Cockatoo.self).sorted(by: \.id)
                return (all.sorted(by: [.init(keyPath: keyPath)]), try all.sorted(byKeyPath: name))
            }
        }
    }

    static var names: [Name] {
        [
            Name("id", \.id), Name("name", \.name), Name("nick", \.nick), Name("mood", \.mood), Name("any", \.any),
            Name("mate.name", \.mate?.name), Name("mate.nick", \.mate?.nick), Name("mate.mood", \.mate?.mood),
            Name("mate.mate.name", \.mate?.mate?.name), Name("mate.mate.nick", \.mate?.mate?.nick),
            Name("mate.mate.mate.age", \.mate?.mate?.mate?.age), Name("mate.any", \.mate?.any),
            Name("mate.mate.mate.mate.nick", \.mate?.mate?.mate?.mate?.nick),
            Name("perch.height", \.perch?.height), Name("perch.wood", \.perch?.wood),
            Name("perch.above.wood", \.perch?.above?.wood),
            Name("mate.perch.above.height", \.mate?.perch?.above?.height),
            Name("mate.name", \.mate!.name), Name("mate.nick", \.mate!.nick), Name("mate.mate.age", \.mate!.mate!.age),
            Name("mate.mate.age", \.mate!.mate?.age), Name("mate.perch.wood", \.mate!.perch!.wood),
            Name("cage.label", \.cage.label), Name("cage.keeper.name", \.cage.keeper?.name),
            Name("cage.keeper.name", \.cage.keeper!.name), Name("cage.keeper.boss.name", \.cage.keeper?.boss?.name),
            Name("mate.cage.label", \.mate!.cage.label), Name("mate.cage.keeper.name", \.mate!.cage.keeper?.name),
        ]
    }

    @Test("A key path through links names what its text names", arguments: names)
    func chains(_ name: Name) throws {
        let graph = try graph(24)
        let (byKeyPath, byName) = try name.sorted(graph)
        #expect(byKeyPath.fault == nil, "\(byKeyPath.fault?.message ?? "")")
        #expect(byKeyPath.map(\.id) == byName.map(\.id) && byKeyPath.count == 24)
        #expect(byKeyPath.explain() == byName.explain())
    }

    @Test("A required link behind an optional one is refused, with what to write instead")
    func requiredBehindOptional() throws {
        let graph = try graph(3)
        let results = graph.objects(Cockatoo.self).sorted(by: \.mate?.cage.label)
        #expect(results.isEmpty && results.fault?.code == .invalidQuery)
        #expect(results.fault?.remedy?.contains("!") == true)
        // The link itself is found.
        #expect(try graph.objects(Cockatoo.self).filter("%K != nil", \Cockatoo.mate?.cage).count == 2)
    }

    @Test("Classes find what they inherit, what they override, and what others cannot name")
    func inheritance() throws {
        let graph = try graph(7)
        let macaws = graph.objects(Macaw.self)
        #expect(macaws.where { $0.age >= 0 && $0.plumes == 0 }.count == 3)
        #expect(macaws.sorted(by: \.id, ascending: false).map(\.id) == [6, 3, 0])
        #expect(macaws.sorted(by: [.init(keyPath: \Macaw.id, ascending: false)]).map(\.id) == [6, 3, 0])
        #expect(macaws.sorted(by: \.mate?.id, ascending: false).map(\.id) == [6, 3, 0])
        #expect(macaws.sum(of: \.id) == 9 && macaws.max(of: \.id) == 6 && macaws.min(of: \.plumes) == 0)
        let red = graph.objects(RedMacaw.self)
        #expect(red.where { $0.red > 1 && $0.id > 0 }.fault == nil)
        // What overrides a stored property is a computed one.
        #expect(red.where { $0.name == "a" }.fault?.message.contains("does not name a stored property") == true)
        #expect(red.sorted(by: \.mate?.name).fault == nil)
        #expect(graph.objects(Cockatoo.self).sorted(by: [.init(keyPath: Cockatoo.secretPath)]).fault == nil)
        #expect(graph.objects(Cockatoo.self).sorted(by: \.admirers).fault != nil)
    }

    @Test("A computed property that only gives a stored one another name is a computed one")
    func alias() throws {
        let graph = Graph(try Store(.init(models: [Computing.self])))
        try graph.added(Computing()) { $0.number = 5 }
        let results = graph.objects(Computing.self).where { $0.alias == 5 }
        #expect(results.isEmpty && results.fault?.code == .invalidQuery)
    }

    @Test("What is added up of a computed property is read from objects alone")
    func aggregates() throws {
        let graph = try graph()
        let none = graph.objects(Cockatoo.self)
        #expect(none.sum(of: \.deadly) == 0 && none.max(of: \.deadly) == nil && none.average(of: \.deadly) == nil)
        #expect(none.sum(of: \.age) == 0)
    }

    @Test("Key paths put together at run time are found, however many there are")
    func made() throws {
        let graph = try graph(5)
        let mate: KeyPath<Cockatoo, Cockatoo?> = \.mate
        let names: [(KeyPath<Cockatoo?, String?>, String)] = [
            (\.?.name, "mate.name"), (\.?.nick, "mate.nick"), (\.?.mate?.name, "mate.mate.name"),
        ]
        for _ in 0..<3 {
            for (rest, name) in names {
                let results = graph.objects(Cockatoo.self).sorted(by: mate.appending(path: rest))
                let named = try graph.objects(Cockatoo.self).sorted(byKeyPath: name)
                #expect(results.fault == nil && results.explain() == named.explain())
            }
        }
    }
}

extension Graph {
    fileprivate func create(_ type: Warden.Type, _ number: Int) {
        do { try add(Warden()) } catch { Issue.record(error) }
    }
}
