import BanyanCore
import BanyanPersistence
import BanyanTesting
import Testing

/// A short life of a store, run again and again with something going wrong at each of its steps.
struct Workload: Sendable, CustomTestStringConvertible {
    var name: String
    var options: StoreFiles.Options
    var body: @Sendable (Session) throws -> Void

    var testDescription: String { name }

    init(
        _ name: String, _ configure: (inout StoreFiles.Options) -> Void = { _ in },
        _ body: @escaping @Sendable (Session) throws -> Void
    ) {
        self.name = name
        options = StoreFiles.Options()
        options.newStoreID = StoreID(high: 1, low: 2)
        options.freeSpaceReserve = 0
        configure(&options)
        self.body = body
    }

    /// A store that can be opened and closed several times in one workload.
    final class Session {
        let disk: SimulatedDisk
        let ledger: Ledger
        let options: StoreFiles.Options
        private(set) var files: StoreFiles

        init(disk: SimulatedDisk, ledger: Ledger, options: StoreFiles.Options) throws {
            self.disk = disk
            self.ledger = ledger
            self.options = options
            files = try Recovered(on: disk, options: options).files
        }

        func commit(_ count: Int = 1) throws { try ledger.commit(count, to: files) }
        func checkpoint() throws { try ledger.checkpoint(files) }
        func reopen() throws {
            try files.close()
            files = try Recovered(on: disk, options: options).files
        }
    }

    /// Runs it; what goes wrong on the disk ends it early.
    func run(on disk: SimulatedDisk, ledger: Ledger) throws {
        let session = try Session(disk: disk, ledger: ledger, options: options)
        try body(session)
        try session.files.close()
    }

    static let all: [Workload] = [
        Workload("single commits") { session in
            for _ in 0..<8 { try session.commit() }
        },
        Workload("groups") { session in
            for size in [1, 5, 2, 9, 1] { try session.commit(size) }
        },
        Workload("rotation", { $0.segmentSize = 900 }) { session in
            for size in [3, 1, 4, 1, 2, 1] { try session.commit(size) }
        },
        Workload("records in parts", { $0.maxRecordSize = 300 }) { session in
            for size in [4, 1, 6, 1, 2] { try session.commit(size) }
        },
        Workload("checkpoints") { session in
            for _ in 0..<3 {
                try session.commit(2)
                try session.checkpoint()
                try session.commit()
            }
        },
        Workload(
            "pruning",
            {
                $0.keepSnapshots = 1
                $0.segmentSize = 600
            }
        ) { session in
            for _ in 0..<4 {
                try session.commit(3)
                try session.checkpoint()
            }
            try session.commit()
        },
        Workload("closing and opening") { session in
            for _ in 0..<3 {
                try session.commit(2)
                try session.reopen()
            }
            try session.reopen()
            try session.commit()
        },
        Workload("everything", { $0.segmentSize = 1500 }) { session in
            try session.commit(3)
            try session.checkpoint()
            try session.commit(4)
            try session.reopen()
            try session.commit()
            try session.checkpoint()
            try session.commit(2)
            try session.checkpoint()
            try session.checkpoint()
            try session.reopen()
            try session.commit(2)
        },
    ]
}
