import Banyan
import BanyanCore
import Testing

/// Under which circumstances a collection is changed and looked at.
enum CollectionState: String, CaseIterable, CustomTestStringConvertible {
    /// It belongs to an object that no graph manages.
    case unmanaged
    /// Everything happens in one write, and is looked at there.
    case inOneWrite
    /// Each change is a write of its own.
    case writeByWrite
    /// Each change is made first in a write that is rolled back, then in one that is not.
    case afterRollback
    /// Each change is made first in a savepoint that is rolled back, then in one that is not, all in one write.
    case afterSavepoints
    /// It is looked at in another graph.
    case otherGraph
    /// It is looked at in frozen graphs, which must go on showing what they showed.
    case frozen
    /// The changes are made in a fork of the store, and must not show in the store.
    case fork
    /// It is filled while unmanaged, then added, then changed.
    case adopted

    var testDescription: String { rawValue }
}

/// An owner of collections in one of those states.
final class CollectionWorld<Owner: Object> {
    private struct Rollback: Error {}

    private let state: CollectionState
    private let graph: Graph
    private let spectator: Graph
    private let original: Graph
    private var owner: Owner
    private var isAdded: Bool
    private var frozen: [(owner: Owner, contents: [String])] = []

    /// A store with the dogs 0 to 5 and an owner, as far as the state has them managed.
    init(_ state: CollectionState) throws {
        self.state = state
        let store = try Store(.init(models: [Kennel.self, Lists.self, Sets.self, Maps.self]))
        original = Graph(store)
        let newOwner = Owner()
        isAdded = state != .unmanaged && state != .adopted
        if isAdded {
            try original.write { graph in
                for id in 0..<6 { try graph.add(Dog(id)) }
                try graph.add(newOwner)
            }
        }
        let used = state == .fork ? store.fork() : store
        graph = state == .fork ? Graph(used) : original
        spectator = Graph(used)
        owner = newOwner
        if state == .fork, let id = newOwner.objectID { owner = try #require(graph.object(Owner.self, id)) }
    }

    /// The dog with this number; unmanaged while the owner is.
    private let unmanagedDogs = (0..<6).map { Dog($0) }
    func dog(_ id: Int) -> Dog {
        isAdded ? graph.object(ofType: Dog.self, forPrimaryKey: id) ?? unmanagedDogs[id] : unmanagedDogs[id]
    }

    /// Changes the owner as the state has it; `verify` is called with every owner that can be seen and what it must show.
    func step(
        from before: [String], to after: [String], change: (Owner) throws -> Void,
        verify: (Owner, [String]) throws -> Void
    ) throws {
        if state == .afterSavepoints {
            graph.retracting {
                try change(owner)
                try verify(owner, after)
            }
            try verify(owner, before)
            try graph.savepoint { try change(owner) }
            return try verify(owner, after)
        }
        guard isAdded, state != .inOneWrite else {
            try change(owner)
            return try verify(owner, after)
        }
        if state == .afterRollback {
            #expect(throws: Rollback.self) {
                try graph.write {
                    try change(owner)
                    try verify(owner, after)
                    throw Rollback()
                }
            }
            try verify(owner, before)
        }
        try graph.write { try change(owner) }
        try verify(owner, after)
        let id = try #require(owner.objectID)
        switch state {
        case .otherGraph:
            spectator.refresh()
            try verify(try #require(spectator.object(Owner.self, id)), after)
        case .frozen:
            frozen.append((try #require(graph.freeze().object(Owner.self, id)), after))
            if frozen.count > 5 { frozen.removeFirst() }
            for (owner, contents) in frozen { try verify(owner, contents) }
        case .fork:
            original.refresh()
            try verify(try #require(original.object(Owner.self, id)), [])
        default: break
        }
    }

    /// Runs all steps; in one write where the state has them so.
    func run(_ steps: () throws -> Void) throws {
        let isOneWrite = state == .inOneWrite || state == .afterSavepoints
        if isOneWrite { try graph.write { try steps() } } else { try steps() }
    }

    /// Adds the owner where the state has it.
    func adopt() throws {
        guard state == .adopted, !isAdded else { return }
        try graph.write { try graph.add(owner) }
        isAdded = true
    }
}
