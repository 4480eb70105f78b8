import BanyanCore
import BanyanTesting
import Testing

@testable import BanyanPersistence

@Suite("Group commit")
struct GroupCommitTests {
    /// Plays all parts of a journal, one after the other, at times of its own.
    private struct Stage {
        var state: FlushState
        var now: UInt64 = 0
        /// Nanoseconds that a flush takes here.
        static let flush: UInt64 = 100_000

        init() throws {
            let directory = try SimulatedDisk().openDirectory("/journal", createIfMissing: true)
            var writer = JournalWriter(
                directory: directory, manifest: Manifest(storeID: StoreID(high: 1, low: 2)), schema: [], written: 0,
                lastTime: 0, segmentSize: 64 << 20, maxRecordSize: 64 << 20)
            try writer.open()
            state = FlushState(writer: writer, durability: .everyCommit)
        }

        /// A thread commits, and comes to have it flushed.
        mutating func commit() -> FlushState.Approach {
            let sequence = state.appended + 1
            _ = state.append(JournalRecord(sequence: sequence, time: Int64(sequence), payload: [1]))
            return state.approach(sequence, goal: .durable)
        }

        mutating func serve(_ turn: FlushState.Turn, leaders: Int) throws -> FlushState.Release {
            var writer = turn.writer
            _ = try writer.write(turn.batch, durableSequence: turn.durableSequence)
            try writer.sync()
            state.meter.noteSync(Self.flush)
            now += Self.flush
            return state.finish(writer, leaders: leaders, now: now)
        }

        /// What the flusher does now: flushes so many, or sleeps until then.
        mutating func flusher() throws -> (flushed: Int?, until: UInt64?, resumed: Int) {
            switch state.flusherStep(now: now) {
            case .lead(let turn): return (turn.batch.count, nil, try serve(turn, leaders: 0).resumed.count)
            case .sleep(let until): return (nil, until, 0)
            case .stop: throw Mismatch("the flusher has stopped")
            }
        }
    }

    private func turn(_ approach: FlushState.Approach) throws -> FlushState.Turn {
        guard case .lead(let turn) = approach else { throw Mismatch("not led") }
        return turn
    }

    private func waits(_ approach: FlushState.Approach) -> Bool {
        if case .wait = approach { true } else { false }
    }

    /// Two threads that alternate, until both are known to be back within a flush.
    private func inStep() throws -> Stage {
        var stage = try Stage()
        let first = try turn(stage.commit())
        #expect(waits(stage.commit()))
        #expect(try stage.serve(first, leaders: 1).rings)
        guard case .lead(let second) = stage.state.flusherStep(now: stage.now) else { throw Mismatch("not led") }
        #expect(second.batch.count == 1)
        #expect(waits(stage.commit()))
        #expect(try stage.serve(second, leaders: 0).resumed.count == 1)
        return stage
    }

    @Test("a lone committer never waits")
    func alone() throws {
        var stage = try Stage()
        for _ in 0..<100 {
            let turn = try turn(stage.commit())
            #expect(turn.batch.count == 1)
            #expect(try !stage.serve(turn, leaders: 1).rings)
        }
    }

    @Test("those who come back within a flush are flushed together")
    func together() throws {
        var stage = try inStep()
        #expect(try stage.flusher().until == stage.now + Stage.flush)
        stage.now += 10_000
        for _ in 0..<100 {
            // The one that waits already, and the one that comes now, which does it for both.
            let turn = try turn(stage.commit())
            #expect(turn.batch.count == 2)
            let release = try stage.serve(turn, leaders: 1)
            #expect(release.resumed.count == 1)
            #expect(release.rings, "the flusher must wake up in case nobody comes")
            #expect(try stage.flusher().until == stage.now + Stage.flush)
            #expect(waits(stage.commit()))
            #expect(!stage.state.needsFlusher)
        }
        #expect(stage.state.durable == stage.state.appended - 1)
    }

    @Test("who does not come back is waited for once, and then ever more rarely")
    func inVain() throws {
        var stage = try inStep()
        var waited = 0
        var flushes = 0
        for _ in 0..<1000 {
            // One waits; nobody else comes.
            if let until = try stage.flusher().until {
                waited += 1
                #expect(until <= stage.now + Stage.flush)
                stage.now = until
                #expect(try stage.flusher().flushed == 1)
            }
            flushes += 1
            // Two come during the next flush, as if they always did.
            let turn = try turn(stage.commit())
            #expect(waits(stage.commit()))
            _ = try stage.serve(turn, leaders: 1)
        }
        #expect((1...flushes / 20).contains(waited), "\(waited) of \(flushes)")
    }

    @Test("it ends when nobody at all comes")
    func nobody() throws {
        var stage = try inStep()
        let turn = try turn(stage.commit())
        #expect(try stage.serve(turn, leaders: 1).rings)
        stage.now = try #require(try stage.flusher().until)
        let (flushed, until, _) = try stage.flusher()
        #expect(flushed == nil)
        #expect(until == nil)
        #expect(stage.state.needsFlusher)
        #expect(try self.turn(stage.commit()).batch.count == 1)
    }

    @Test("successes now and then do not make up for as many failures")
    func everyOther() {
        var window = GroupCommitWindow()
        var now: UInt64 = 0
        var failures = 0
        for flush in 0..<10_000 {
            now += Stage.flush
            window.flushed(served: 4, waiting: 4, took: Stage.flush, now: now)
            guard let goal = window.goal else { continue }
            if flush % 2 == 0 { failures += 1 }
            window.end(with: flush % 2 == 0 ? goal.count - 1 : goal.count)
        }
        #expect((1...400).contains(failures), "\(failures)")
    }

    @Test("no longer than a millisecond, however slow the disk")
    func slowDisk() {
        var window = GroupCommitWindow()
        window.flushed(served: 3, waiting: 3, took: 50_000_000, now: 0)
        window.flushed(served: 3, waiting: 3, took: 50_000_000, now: 100)
        #expect(window.goal?.count == 6)
        #expect(window.goal?.deadline == 1_000_100)
        #expect(window.deadline(waiting: 5, now: 1_000_099) == 1_000_100)
        #expect(window.deadline(waiting: 6, now: 200) == nil)
        #expect(window.deadline(waiting: 5, now: 1_000_100) == nil)
    }

    @Test("a checkpoint does not wait for committers, nor they for it")
    func seeking() throws {
        var stage = try inStep()
        #expect(try stage.flusher().until != nil)
        let turn = try stage.state.seek(again: false).get()
        #expect(turn.batch.count == 1)
        #expect(waits(stage.commit()))
        #expect(try stage.serve(turn, leaders: 0).resumed.count == 1)
        #expect(try self.turn(stage.commit()).batch.count == 2)
    }

    @Test("the end comes to those who wait for others")
    func closing() throws {
        var stage = try inStep()
        #expect(try stage.flusher().until != nil)
        #expect(stage.state.close().resumed.count == 1)
        guard case .stop = stage.state.flusherStep(now: stage.now) else { throw Mismatch("the flusher goes on") }
    }
}
