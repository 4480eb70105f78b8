import BanyanCore
import Dispatch
import Synchronization

/// Makes frames on all cores and gives them back in the order in which they were asked for. What is under way is bounded in
/// number and bytes, so a snapshot of any size is written with a few megabytes of memory.
final class FramePipeline {
    /// A frame as it goes into the file.
    struct Frame: @unchecked Sendable {
        // Sound: the job that fills the memory hands it over when it is done, and touches it no more.
        var kind: UInt8
        var table: UInt32
        var rows: UInt64
        var stored: Scratch
        var rawLength: Int
        var rawHash: UInt64
        var storedHash: UInt64
    }

    /// Compresses what a job gives it, at once, so that the job may use the memory again.
    struct Maker: ~Copyable {
        fileprivate let spare: Pool<Scratch>
        fileprivate var frames: [Frame] = []

        mutating func add(
            kind: UInt8, table: UInt32, rows: UInt64, _ raw: UnsafeRawBufferPointer
        ) throws(BanyanError) {
            let stored = spare.take() ?? Scratch()
            try Compression.frame(raw, into: stored)
            frames.append(
                Frame(
                    kind: kind, table: table, rows: rows, stored: stored, rawLength: raw.count,
                    rawHash: Checksum.hash(raw), storedHash: Checksum.hash(stored.bytes)))
        }
    }

    /// Makes frames; what it leaves to do comes right behind them, before jobs that were started later.
    typealias Work = @Sendable (inout Maker) throws -> Rest?

    struct Rest: Sendable {
        let work: Work
    }

    private typealias Outcome = Result<(frames: [Frame], rest: Rest?), any Error>

    /// One job; its result is written once by a worker, and read once by the pipeline after the signal.
    private final class Job: Sendable {
        let weight: Int
        private let work: Mutex<Work?>
        private let done = DispatchSemaphore(value: 0)
        private let result = Mutex<Outcome?>(nil)

        init(weight: Int, _ work: @escaping Work) {
            self.weight = weight
            self.work = Mutex(work)
        }

        /// When the job is done, the work is released, and with it the version that it held.
        func run(_ spare: Pool<Scratch>) {
            let outcome = outcome(spare)
            result.withLock { $0 = outcome }
            done.signal()
        }

        private func outcome(_ spare: Pool<Scratch>) -> Outcome {
            guard let work = work.withLock({ $0.take() }) else {
                return .failure(BanyanError(.closed, "A piece of the snapshot was begun twice"))
            }
            var maker = Maker(spare: spare)
            do {
                let rest = try work(&maker)
                return .success((maker.frames, rest))
            } catch {
                return .failure(error)
            }
        }

        func wait() throws -> (frames: [Frame], rest: Rest?) {
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
    private let spare = Pool<Scratch>()
    private var jobs: [Job] = []
    private var weight = 0

    /// - Parameter cores: how many jobs run at once. While the file is flushed nobody takes what they made, which is small:
    ///   they may get far enough ahead to go on meanwhile.
    init(cores: Int) { countLimit = max(2, cores) * 8 }

    /// Starts a job.
    ///
    /// - Parameter weight: bytes it keeps in memory while it is under way, roughly.
    func push(weight: Int, _ work: @escaping Work) {
        self.weight += weight
        jobs.append(start(work, weight: weight))
    }

    private func start(_ work: @escaping Work, weight: Int) -> Job {
        let job = Job(weight: weight, work)
        workers.async { [spare] in job.run(spare) }
        return job
    }

    /// The frames of the oldest job, waiting for it, when there is one and either everything is wanted or the pipeline is full.
    func pop(all: Bool) throws -> [Frame]? {
        guard !jobs.isEmpty, all || jobs.count > countLimit || (weight > Self.byteLimit && jobs.count > 1) else {
            return nil
        }
        let job = jobs.removeFirst()
        weight -= job.weight
        let (frames, rest) = try job.wait()
        if let rest {
            weight += job.weight
            jobs.insert(start(rest.work, weight: job.weight), at: 0)
        }
        return frames
    }

    /// Takes back the memory of a frame that is in the file.
    func recycle(_ frame: Frame) { spare.give(frame.stored) }

    /// Waits for the jobs under way, so that writing can be given up.
    func abandon() {
        for job in jobs { _ = Result { try job.wait() } }
        jobs = []
    }
}

/// Things to be used again, each by one thread at a time.
final class Pool<Element>: @unchecked Sendable {
    // Sound: an element that was taken has one user, and it is handed over under the lock.
    private let elements = Mutex<Void>(())
    private var spare: [Element] = []

    func take() -> Element? { elements.withLock { _ in spare.popLast() } }
    func give(_ element: Element) { elements.withLock { _ in spare.append(element) } }
}
