/// The nodes a transaction made and no longer needs, by size class, for what it makes next.
struct SpareNodes {
    private(set) var count = 0
    private var pieces: [ContiguousArray<UnsafeMutableRawPointer>] = []
    /// The classes that have had spare nodes, some of them more than once.
    private var classes: ContiguousArray<SizeClass> = []

    @inline(__always)
    mutating func take(_ c: SizeClass) -> UnsafeMutableRawPointer? {
        guard let piece = pieces[Int(c.rawValue)].popLast() else { return nil }
        count -= 1
        return piece
    }

    @inline(__always)
    mutating func add(_ piece: UnsafeMutableRawPointer, _ c: SizeClass) {
        if pieces.isEmpty { pieces = Array(repeating: [], count: SizeClass.count) }
        if pieces[Int(c.rawValue)].isEmpty { classes.append(c) }
        pieces[Int(c.rawValue)].append(piece)
        count += 1
    }

    /// Calls `body` with each and has none left.
    mutating func removeAll(_ body: (Arena.Piece) -> Void) {
        for c in classes {
            for piece in pieces[Int(c.rawValue)] { body(Arena.pack(piece, c)) }
            pieces[Int(c.rawValue)].removeAll()
        }
        count = 0
        if !classes.isEmpty { classes.removeAll(keepingCapacity: classes.count <= 4096) }
    }
}
