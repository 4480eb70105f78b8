import BanyanCore

/// A value an operation stores: itself, or a link to the object that an earlier operation made under a number.
indirect enum Operand {
    case value(Value)
    case link(Int)
    /// What an AnyValue owns, made anew; the numbers are for the objects that stand for them.
    case list(Int, [Operand])
    /// The keys ascend.
    case dictionary(Int, [(key: String, value: Operand)])
    /// What an AnyValue owns already, which is a mistake wherever it does not stand itself.
    case nested(Int, isList: Bool)
}

/// One thing done to a graph. Objects go by the numbers under which they were made, so that a script still makes sense
/// when some of its steps are left out.
enum Operation {
    case create(Int, table: Int, key: Value?)
    /// Makes embedded objects and gives them to an owner at once.
    case embed([Int], owner: Int, column: Int, EmbeddedPlace)
    case delete(Int)
    case set(Int, column: Int, Operand)
    case touch(Int, column: Int)

    case listInsert(Int, column: Int, at: Int, [Operand])
    case listRemove(Int, column: Int, Range<Int>)
    case listSet(Int, column: Int, at: Int, Operand)
    case listMove(Int, column: Int, from: Int, to: Int)

    case setInsert(Int, column: Int, Operand)
    case setRemove(Int, column: Int, Operand)

    case mapSet(Int, column: Int, key: Value, Operand)
    case mapRemove(Int, column: Int, key: Value)

    case removeAll(Int, column: Int)

    /// Takes back a commit that was kept.
    case undo(Int)

    enum EmbeddedPlace {
        case property
        case listInsert(at: Int)
        /// The same object at two places of one list, which is a fault.
        case listInsertTwice(at: Int)
        case listSet(at: Int)
        case mapSet(key: Value)
    }
}

/// One step of a script: an operation in the open transaction (which it opens), or something that happens between
/// transactions.
enum Step {
    case operate(Operation)
    /// Commits, and maybe keeps the commit, to undo it later.
    case commit(keeping: Bool)
    case rollback
    /// Begins a savepoint in the open transaction, or in the open savepoint.
    case beginSavepoint
    /// Ends the innermost savepoint, or takes it back.
    case endSavepoint
    case rollbackSavepoint
    /// Compares the transaction in the making, or the newest version, with the model: every object, every index.
    case compareAll
    /// Holds the newest version, to see later whether it still reads as it does now.
    case hold
    /// Compares the held version and lets it go.
    case release(Int)
    /// Makes a fork of the newest version, or of a held one, and goes on in the fork.
    case fork(held: Int?)
    /// Goes on in another fork, or in the store.
    case select(Int)
    case dropFork(Int)
    case checkpoint
    /// Closes the store, or kills its process or its machine, and recovers it from its files.
    case reopen(Ending)
    /// Recovers the state after an earlier commit from the files, and compares.
    case readBack(commitsAgo: Int)

    enum Ending: Hashable {
        case closed
        case killed
        case powerCut(seed: UInt64)
    }
}
