import BanyanCore
import BanyanPersistence
import BanyanTesting

/// A store on a simulated disk whose files a test damages one way after another.
struct Fixture {
    static let directory = "/store"

    let disk: SimulatedDisk
    let options: StoreFiles.Options
    /// The last commit in it.
    let last: UInt64

    /// Commits one by one, every one acknowledged.
    ///
    /// - Parameter closed: whether the store was closed, or its process killed.
    init(commits: Int, closed: Bool, configure: (inout StoreFiles.Options) -> Void = { _ in }) throws {
        var options = StoreFiles.Options()
        options.newStoreID = StoreID(high: 3, low: 4)
        options.freeSpaceReserve = 0
        configure(&options)
        let disk = SimulatedDisk()
        let files = try Recovered(on: disk, options: options).files
        let ledger = Ledger()
        for _ in 0..<commits { try ledger.commit(to: files) }
        if closed { try files.close() }
        self.disk = disk.afterProcessDeath()
        self.options = options
        last = ledger.acknowledged
    }

    init(disk: SimulatedDisk, options: StoreFiles.Options, last: UInt64) {
        self.disk = disk
        self.options = options
        self.last = last
    }

    static func path(_ name: String) -> String { directory + "/" + name }

    func names(_ suffix: String) -> [String] { disk.names(in: Self.directory).filter { $0.hasSuffix(suffix) } }

    func content(_ name: String) throws -> [UInt8] {
        guard let bytes = disk.content(of: Self.path(name)) else { throw Mismatch("no file \(name)") }
        return bytes
    }

    /// A copy in which one file has other content.
    func with(_ name: String, _ bytes: [UInt8]) -> Fixture {
        let copy = disk.afterProcessDeath()
        copy.place(bytes, at: Self.path(name))
        return Fixture(disk: copy, options: options, last: last)
    }

    enum Result: Equatable {
        /// Opened; everything that came back was right, up to this commit.
        case opened(last: UInt64)
        case refused(BanyanError.Code)
    }

    /// Opens it and says what happened; wrong content throws `Mismatch`.
    func open(mode: StoreFiles.Mode = .readOnly) throws -> Result {
        do {
            let found = try Recovered(on: disk, options: options, mode: mode)
            return .opened(last: found.report.lastSequence)
        } catch let error as BanyanError {
            return .refused(error.code)
        }
    }
}
