import Banyan
import Foundation
import Testing

@Model class Parcel: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var stamps: List<Stamp>
}

@Model class Stamp: Object {
    @Persisted var value = 0
}

@Model class Postbox: Object {
    @Persisted var place = ""
}

@Suite("Schema versions")
struct SchemaVersionTests {
    private let directory = ScratchDirectory()

    private func open(
        _ version: UInt64, _ models: [ObjectBase.Type] = [Parcel.self, Postbox.self], readOnly: Bool = false
    ) async throws -> Store {
        var configuration = Store.Configuration(directory: directory.path, models: models)
        configuration.schemaVersion = version
        configuration.readOnly = readOnly
        return try await Store.open(configuration)
    }

    private func addParcel(_ id: Int, _ store: Store) async throws {
        try await store.write { graph in
            let parcel = Parcel()
            parcel.id = id
            parcel.stamps.append(Stamp())
            try graph.add(parcel)
        }
    }

    private func ids(_ store: Store) -> [Int] { store.read { $0.objects(Parcel.self).map(\.id).sorted() } }

    @Test(
        "A raised version with the same models opens, and is the store's from the next commit on",
        arguments: [false, true])
    func raised(_ withCheckpoint: Bool) async throws {
        for (round, version) in ([0, 1, 1, 7] as [UInt64]).enumerated() {
            let store = try await open(version)
            #expect(ids(store) == Array(0..<round))
            try await addParcel(round, store)
            if withCheckpoint { try await store.checkpoint() }
            try await store.close()
        }
        let error = await #expect(throws: BanyanError.self) { _ = try await open(6) }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.message == "the stored schema has version 7, and the program's has the lower version 6")
        let readOnly = try await open(8, readOnly: true)
        #expect(ids(readOnly) == [0, 1, 2, 3])
        try await readOnly.close()
    }

    @Test("The models may be given in any order, each time in another one", arguments: [false, true])
    func order(_ withCheckpoint: Bool) async throws {
        let orders: [[ObjectBase.Type]] = [
            [Parcel.self, Postbox.self], [Postbox.self, Parcel.self], [Stamp.self, Postbox.self, Parcel.self],
        ]
        for round in 0..<6 {
            let store = try await open(0, orders[round % 3])
            #expect(ids(store) == Array(0..<round))
            #expect(store.read { $0.objects(Stamp.self).count } == round)
            try await addParcel(round, store)
            if withCheckpoint { try await store.checkpoint() }
            try await store.close()
        }
    }

    @Test(
        "Changed models are an error that says what can be done, whatever the version", arguments: [0, 1] as [UInt64])
    func changed(_ version: UInt64) async throws {
        let store = try await open(0)
        try await addParcel(1, store)
        try await store.close()
        let error = await #expect(throws: BanyanError.self) { _ = try await open(version, [Stamp.self]) }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.message.contains("'Parcel' is in the file, not in the program") == true)
        // What it advises must be there: nothing migrates yet.
        #expect(error?.remedy?.contains("converts no stored objects") == true)
        #expect(error?.remedy?.contains("migration") == false)
        let again = try await open(0)
        #expect(ids(again) == [1])
        try await again.close()
    }
}
