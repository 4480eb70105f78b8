import BanyanCore

/// Holds an edit script against the list before and after: whatever it says was kept or moved is what it was, in order, in
/// a list of the right length.
struct ScriptComparison {
    let script: EditScript
    let old: [Value]
    let new: [Value]
    let place: String

    init(_ script: EditScript, _ old: [Value], _ new: [Value], _ place: String) {
        self.script = script
        self.old = old
        self.new = new
        self.place = place
    }

    func compare() throws {
        try require(
            script.oldCount == old.count,
            "the edits of \(place) start from \(script.oldCount) elements, not \(old.count)")
        try require(
            script.count == new.count, "the edits of \(place) end with \(script.count) elements, not \(new.count)")
        var at = 0
        var next = 0
        for run in script.runs {
            switch run {
            case .kept(let start, let count), .moved(let start, let count):
                try require(start + count <= old.count && at + count <= new.count, "a run of \(place) is out of bounds")
                let isSame = (0..<count).allSatisfy { old[start + $0].isIdentical(to: new[at + $0]) }
                try require(
                    isSame,
                    "the edits of \(place) keep or move \(count) elements from \(start) to \(at) that are not the same")
                if case .kept = run {
                    try require(start >= next, "the edits of \(place) keep elements out of order")
                    next = start + count
                }
                at += count
            case .set(let start, let count):
                try require(start >= next, "the edits of \(place) assign out of order")
                next = start + count
                at += count
            case .inserted(let count): at += count
            }
        }
        try require(at == new.count, "the edits of \(place) make up \(at) of \(new.count) elements")
    }
}
