import BanyanCore
import Dispatch
import Synchronization

/// Compresses pieces on all cores and gives them back in the order they came in. What is under way is bounded in number
/// and bytes, so a snapshot of any size is written with a few megabytes of memory.
final class CompressionPipeline {
    struct Piece: Sendable {
        var stored: [UInt8]
        var rawLength: Int
        var rawHash: UInt64
        var storedHash: UInt64
    }

    /// One piece on its way; written once by a worker, read once by the pipeline after the signal.
    private final class Job: Sendable {
        let rawLength: Int
        private let done = DispatchSemaphore(value: 0)
        private let result = Mutex<Result<Piece, BanyanError>?>(nil)

        init(rawLength: Int) { self.rawLength = rawLength }

        func complete(_ outcome: Result<Piece, BanyanError>) {
            result.withLock { $0 = outcome }
            done.signal()
        }

        func wait() throws(BanyanError) -> Piece {
            done.wait()
            guard let outcome = result.withLock({ $0.take() }) else {
                throw BanyanError(.closed, "A piece of the snapshot was waited for twice")
            }
            return try outcome.get()
        }
    }

    private static let byteLimit = 16 << 20
    private let workers = DispatchQueue(label: "banyan.snapshot", attributes: .concurrent)
    private let countLimit: Int
    private var jobs: [Job] = []
    private var bytes = 0

    init(cores: Int) { countLimit = max(2, cores) * 2 }

    /// Starts on a piece.
    func push(_ raw: [UInt8]) {
        let job = Job(rawLength: raw.count)
        jobs.append(job)
        bytes += raw.count
        workers.async {
            do throws(BanyanError) {
                let stored = try Compression.frame(raw)
                job.complete(
                    .success(
                        Piece(
                            stored: stored, rawLength: raw.count, rawHash: Checksum.hash(raw),
                            storedHash: Checksum.hash(stored))))
            } catch {
                job.complete(.failure(error))
            }
        }
    }

    /// The oldest piece, waiting for it, when there is one and either everything is wanted or the pipeline is full.
    func pop(all: Bool) throws(BanyanError) -> Piece? {
        guard !jobs.isEmpty, all || jobs.count > countLimit || (bytes > Self.byteLimit && jobs.count > 1) else {
            return nil
        }
        let job = jobs.removeFirst()
        bytes -= job.rawLength
        return try job.wait()
    }
}
