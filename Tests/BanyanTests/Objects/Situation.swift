import Banyan
import Foundation
import Testing

/// Where an object may stand when a test looks at it. Whatever holds of a value must hold in each of these.
enum Situation: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case unmanaged
    case inTheWriteThatAddsIt
    case afterTheCommit
    case afterARollback
    case inASavepoint
    case afterASavepointIsRolledBack
    case inAnotherGraph
    case inAnotherGraphAfterRefresh
    case frozen
    case inAFork
    case afterReopening
    case afterACheckpointAndReopening
    case inACopyFromASnapshotFile

    var testDescription: String { rawValue }

    static var managed: [Situation] { allCases.filter { $0 != .unmanaged } }
    static var closed: [Situation] { [.afterReopening, .afterACheckpointAndReopening, .inACopyFromASnapshotFile] }

    /// Makes an object, brings it into this situation and hands it to `check`. `spoil` changes whatever it can, for the
    /// situations that undo changes or must not see them.
    func show<T: Object>(
        _ type: T.Type, _ models: [ObjectBase.Type] = [T.self], make: () throws -> T,
        spoil: (T) throws -> Void = { _ in },
        check: (T) throws -> Void
    ) async throws {
        switch self {
        case .unmanaged:
            try check(try make())
        case .inTheWriteThatAddsIt:
            let graph = Graph(try Store(.init(models: models)))
            try graph.write {
                let object = try make()
                try graph.add(object)
                try check(object)
                try check(try #require(graph.objects(T.self).first))
            }
        case .afterTheCommit:
            let graph = Graph(try Store(.init(models: models)))
            let object = try graph.added(try make())
            try check(object)
        case .afterARollback:
            let graph = Graph(try Store(.init(models: models)))
            let object = try graph.added(try make())
            #expect(throws: Undo.self) {
                try graph.write {
                    try spoil(object)
                    throw Undo()
                }
            }
            try check(object)
        case .inASavepoint:
            let graph = Graph(try Store(.init(models: models)))
            let object = try make()
            try graph.write {
                try graph.savepoint {
                    try graph.add(object)
                    try graph.savepoint { try check(object) }
                }
                try check(object)
            }
            try check(object)
        case .afterASavepointIsRolledBack:
            let graph = Graph(try Store(.init(models: models)))
            let object = try make()
            try graph.write {
                try graph.add(object)
                graph.retracting { try spoil(object) }
                try check(object)
            }
            try check(object)
        case .inAnotherGraph:
            let store = try Store(.init(models: models))
            try Graph(store).added(try make())
            try check(try #require(Graph(store).objects(T.self).first))
        case .inAnotherGraphAfterRefresh:
            let store = try Store(.init(models: models))
            let (here, there) = (Graph(store), Graph(store))
            try here.added(try make())
            #expect(there.objects(T.self).isEmpty)
            #expect(there.refresh())
            try check(try #require(there.objects(T.self).first))
        case .frozen:
            let graph = Graph(try Store(.init(models: models)))
            let object = try graph.added(try make())
            let frozen = graph.freeze()
            try graph.write { try spoil(object) }
            try check(try #require(frozen.objects(T.self).first))
        case .inAFork:
            let store = try Store(.init(models: models))
            let graph = Graph(store)
            let object = try graph.added(try make())
            let fork = store.fork()
            try graph.write { try spoil(object) }
            try check(try #require(Graph(fork).objects(T.self).first))
        case .afterReopening, .afterACheckpointAndReopening:
            let directory = ScratchDirectory()
            let store = try await Store.open(.init(directory: directory.path, models: models))
            try Graph(store).added(try make())
            if self == .afterACheckpointAndReopening { try await store.checkpoint() }
            try await store.close()
            let reopened = try await Store.open(.init(directory: directory.path, models: models))
            try check(try #require(Graph(reopened).objects(T.self).first))
            try await reopened.close()
        case .inACopyFromASnapshotFile:
            let directory = ScratchDirectory()
            let store = try Store(.init(models: models))
            try Graph(store).added(try make())
            try await store.snapshot(to: directory.file("copy.bsn"))
            let copy = try Store(.init(base: directory.file("copy.bsn"), models: models))
            try check(try #require(Graph(copy).objects(T.self).first))
        }
    }
}

/// Thrown to roll a write back.
struct Undo: Error {}

extension Graph {
    /// Adds an object in a write of its own, set up by `prepare`.
    @discardableResult
    func added<T: Object>(_ object: T, _ prepare: (T) throws -> Void = { _ in }) throws -> T {
        try write {
            try prepare(object)
            try add(object)
            return object
        }
    }

    /// Runs a write and rolls it back.
    func undoing(_ body: () throws -> Void) {
        #expect(throws: Undo.self) {
            try write {
                try body()
                throw Undo()
            }
        }
    }

    /// Runs a savepoint and takes it back.
    func retracting(_ body: () throws -> Void) {
        do {
            try savepoint {
                try body()
                throw Undo()
            }
        } catch {
            if !(error is Undo) { Issue.record(error) }
        }
    }

    /// The error that a savepoint ends with.
    func savepointFault(_ body: () throws -> Void) -> BanyanError? {
        do {
            try savepoint { try body() }
            return nil
        } catch {
            return error as? BanyanError
        }
    }

    /// The error that a write ends with.
    func fault(_ body: (Graph) throws -> Void) -> BanyanError? {
        do {
            try write { graph in try body(graph) }
            return nil
        } catch {
            return error as? BanyanError
        }
    }
}

/// A directory that is gone when the test is.
final class ScratchDirectory: Sendable {
    let path = NSTemporaryDirectory() + "banyan-tests-" + UUID().uuidString

    init() {}

    func file(_ name: String) -> String {
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path + "/" + name
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
