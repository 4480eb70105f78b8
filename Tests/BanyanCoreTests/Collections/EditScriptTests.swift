import BanyanCore
import Testing

@Suite struct EditScriptTests {
    @Test(arguments: [false, true], [0, 1, 10, 1000])
    func `random edits fold into what an array says`(moves: Bool, oldCount: Int) {
        for seed: UInt64 in 0..<30 {
            var random = SplitMix(seed: seed)
            var script = EditScript(oldCount: oldCount)
            var model = EditScriptModel(oldCount: oldCount)
            var near = 0
            for step in 0..<300 {
                let edit = EditScriptModel.Edit.random(count: script.count, near: &near, moves: moves, &random)
                edit.apply(to: &script)
                model.apply(edit)
                guard step % 7 == 0 || step > 290 else { continue }
                #expect(model.problem(with: script) == nil)
                if !moves {
                    let untouched = model.elements == EditScriptModel(oldCount: oldCount).elements
                    #expect(script.isEmpty == untouched)
                }
            }
            checkOutput(script, moves: moves)
        }
    }

    /// The lists against the runs they are taken from.
    func checkOutput(_ script: EditScript, moves: Bool) {
        var kept: Set<Int> = []
        var came: [Int] = []
        var set: [[Int]] = []
        var moved: [[Int]] = []
        var index = 0
        script.forEachRun { run in
            switch run {
            case .kept(let old, let count):
                kept.formUnion(old..<(old + count))
                index += count
            case .set(let old, let count):
                kept.formUnion(old..<(old + count))
                set += (0..<count).map { [old + $0, index + $0] }
                index += count
            case .moved(let old, let count):
                moved += (0..<count).map { [old + $0, index + $0] }
                came += index..<(index + count)
                index += count
            case .inserted(let count):
                came += index..<(index + count)
                index += count
            }
        }
        #expect(script.deletions.flatMap(Array.init) == (0..<script.oldCount).filter { !kept.contains($0) })
        #expect(script.insertions.flatMap(Array.init) == came)
        #expect(script.modifications.flatMap { zip($0.old, $0.new).map { [$0, $1] } } == set)
        #expect(script.moves.flatMap { zip($0.old, $0.new).map { [$0, $1] } } == moved)
        #expect(moves || moved.isEmpty)
    }

    @Test(arguments: [false, true])
    func `two scripts in a row compose to the script of all edits`(moves: Bool) {
        for seed: UInt64 in 0..<200 {
            var random = SplitMix(seed: seed)
            let oldCount = Int(random.next() % 60)
            var all = EditScript(oldCount: oldCount)
            var model = EditScriptModel(oldCount: oldCount)
            var near = 0
            func edits(_ script: inout EditScript) {
                for _ in 0..<(random.next() % 40) {
                    let edit = EditScriptModel.Edit.random(count: script.count, near: &near, moves: moves, &random)
                    edit.apply(to: &script)
                    edit.apply(to: &all)
                    model.apply(edit)
                }
            }
            var first = EditScript(oldCount: oldCount)
            edits(&first)
            var second = EditScript(oldCount: first.count)
            edits(&second)
            let composed = EditScript.compose(first, second)
            #expect(model.problem(with: composed) == nil)
            if !moves { #expect(composed == all) }
            // It goes on from there.
            var third = EditScript(oldCount: second.count)
            edits(&third)
            #expect(model.problem(with: EditScript.compose(composed, third)) == nil)
        }
    }

    @Test func `appending and undoing it leaves nothing`() {
        var script = EditScript(oldCount: 5)
        #expect(script.isEmpty)
        for i in 0..<1000 { script.insert(at: 5 + i, count: 1) }
        #expect(script.runs == [.kept(oldStart: 0, count: 5), .inserted(count: 1000)])
        for i in (0..<1000).reversed() { script.remove((5 + i)..<(6 + i)) }
        #expect(script.isEmpty)
        #expect(script.runs == [.kept(oldStart: 0, count: 5)])
    }

    @Test func `an element moved away and back has not moved`() {
        for oldCount in 2...6 {
            for source in 0..<oldCount {
                for target in 0..<oldCount {
                    var script = EditScript(oldCount: oldCount)
                    script.move(from: source, to: target)
                    #expect(script.isEmpty == (source == target))
                    script.move(from: target, to: source)
                    #expect(script.isEmpty)
                }
            }
        }
    }

    @Test func `an end moved away and back has not moved, whatever is beside it now`() {
        var script = EditScript(oldCount: 4)
        script.insert(at: 3, count: 1)
        script.insert(at: 1, count: 1)
        let before = script
        script.move(from: 5, to: 2)
        script.move(from: 0, to: 3)
        script.move(from: 3, to: 0)
        script.move(from: 2, to: 5)
        #expect(script == before)
        #expect(script.deletions.isEmpty)
    }

    @Test func `removing and inserting at the same place is a deletion and an insertion`() {
        var script = EditScript(oldCount: 3)
        script.remove(1..<2)
        script.insert(at: 1, count: 1)
        #expect(script.deletions == [1..<2])
        #expect(script.insertions == [1..<2])
        #expect(script.modifications.isEmpty)
        script.set(at: 1)
        script.set(at: 2)
        #expect(script.modifications == [.init(old: 2..<3, new: 2..<3)])
    }

    @Test func `an emptied list is one deletion`() {
        var script = EditScript(oldCount: 100)
        for i in 0..<50 { script.insert(at: 2 * i, count: 1) }
        script.removeAll()
        #expect(script.runs == [])
        #expect(script.deletions == [0..<100])
        #expect(!script.isEmpty)
    }

    @Test func `many scattered edits stay fast and right`() {
        let count = 200_000
        var script = EditScript(oldCount: count)
        for i in 0..<(count / 2) { script.insert(at: 3 * i, count: 1) }
        for i in 0..<(count / 4) { script.set(at: 6 * i + 1) }
        #expect(script.count == count + count / 2)
        var runs = 0
        script.forEachRun { _ in runs += 1 }
        #expect(runs == count / 2 * 2 + count / 4)
        for i in 0..<(count / 2) { script.remove((2 * i)..<(2 * i + 1)) }
        #expect(script.count == count)
        #expect(script.insertions.isEmpty)
        #expect(script.deletions.isEmpty)
        #expect(script.modifications.count == count / 4)
    }
}
