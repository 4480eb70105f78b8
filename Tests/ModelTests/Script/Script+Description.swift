import BanyanCore

// Scripts as a person reads them.

extension Operand: CustomStringConvertible {
    var description: String {
        switch self {
        case .value(let value): value.brief
        case .link(let number): "#\(number)"
        case .list(let number, let elements):
            "#\(number) = [\(elements.map(\.description).joined(separator: ", "))]"
        case .dictionary(let number, let entries):
            "#\(number) = [\(entries.map { "\($0.key.debugDescription): \($0.value)" }.joined(separator: ", "))]"
        case .nested(let number, let isList): "the \(isList ? "list" : "dictionary") #\(number)"
        }
    }
}

extension Operation: CustomStringConvertible {
    var description: String {
        switch self {
        case .create(let number, let table, let key):
            "#\(number) = create \(RichSchema.schema.types[table].name)" + (key.map { " key \($0.brief)" } ?? "")
        case .embed(let numbers, let owner, let column, let place):
            "embed \(numbers.map { "#\($0)" }.joined(separator: ", ")) in #\(owner).[\(column)] \(place)"
        case .delete(let number): "delete #\(number)"
        case .set(let number, let column, let operand): "#\(number).[\(column)] = \(operand)"
        case .touch(let number, let column): "touch #\(number).[\(column)]"
        case .listInsert(let number, let column, let at, let operands):
            "#\(number).[\(column)] insert at \(at): \(Self.list(operands))"
        case .listRemove(let number, let column, let range): "#\(number).[\(column)] remove \(range)"
        case .listSet(let number, let column, let at, let operand): "#\(number).[\(column)][\(at)] = \(operand)"
        case .listMove(let number, let column, let from, let to): "#\(number).[\(column)] move \(from) to \(to)"
        case .setInsert(let number, let column, let operand): "#\(number).[\(column)] insert \(operand)"
        case .setRemove(let number, let column, let operand): "#\(number).[\(column)] remove \(operand)"
        case .mapSet(let number, let column, let key, let operand): "#\(number).[\(column)][\(key.brief)] = \(operand)"
        case .mapRemove(let number, let column, let key): "#\(number).[\(column)] remove key \(key.brief)"
        case .removeAll(let number, let column): "#\(number).[\(column)] remove all"
        case .undo(let index): "undo kept commit \(index)"
        }
    }

    private static func list(_ operands: [Operand]) -> String {
        let shown = operands.prefix(4).map(\.description).joined(separator: ", ")
        return operands.count > 4 ? "\(shown), … (\(operands.count))" : shown
    }
}

extension Operation.EmbeddedPlace: CustomStringConvertible {
    var description: String {
        switch self {
        case .property: "as the value"
        case .listInsert(let at): "inserted at \(at)"
        case .listInsertTwice(let at): "inserted twice at \(at)"
        case .listSet(let at): "in place of \(at)"
        case .mapSet(let key): "under \(key.brief)"
        }
    }
}

extension Step: CustomStringConvertible {
    var description: String {
        switch self {
        case .operate(let operation): "  \(operation)"
        case .commit(let keeping): keeping ? "commit, and keep the commit" : "commit"
        case .rollback: "roll back"
        case .beginSavepoint: "  begin a savepoint"
        case .endSavepoint: "  end the savepoint"
        case .rollbackSavepoint: "  roll back the savepoint"
        case .compareAll: "compare all"
        case .hold: "hold the newest version"
        case .release(let index): "release held version \(index)"
        case .fork(let held): held.map { "fork held version \($0)" } ?? "fork"
        case .select(let index): "go on in \(index == 0 ? "the store" : "fork \(index)")"
        case .dropFork(let index): "drop fork \(index)"
        case .checkpoint: "checkpoint"
        case .reopen(.closed): "close and reopen"
        case .reopen(.killed): "kill and reopen"
        case .reopen(.powerCut): "cut the power and reopen"
        case .readBack(let commits): "read the state \(commits) commits ago"
        }
    }
}
