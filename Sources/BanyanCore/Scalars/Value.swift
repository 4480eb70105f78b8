// What can be asked of a value without knowing what it is.

private struct ScalarOfValue: ValueVisitor {
    func visit<S: Scalar>(_ scalar: S) -> (any Scalar)? { scalar }
    func visit(_ link: ObjectRef, _ kind: AnyKind) -> (any Scalar)? { nil }
    func visitNull() -> (any Scalar)? { nil }
}

private struct KindOfValue: ValueVisitor {
    @inline(__always)
    func visit<S: Scalar>(_ scalar: S) -> AnyKind { .value(S.valueKind) }
    @inline(__always)
    func visit(_ link: ObjectRef, _ kind: AnyKind) -> AnyKind { kind }
    @inline(__always)
    func visitNull() -> AnyKind { .none }
}

private struct CellAsKind: ValueVisitor {
    let kind: ValueKind
    @inline(__always)
    func visit<S: Scalar>(_ scalar: S) -> Cell? { scalar.cell(as: kind) }
    @inline(__always)
    func visit(_ link: ObjectRef, _ anyKind: AnyKind) -> Cell? {
        anyKind == .value(.object) && kind.isLink ? link.cell : nil
    }
    @inline(__always)
    func visitNull() -> Cell? { .null }
}

private struct WithAnyCell<R>: ValueVisitor {
    let body: (AnyKind, Cell) -> R
    func visit<S: Scalar>(_ scalar: S) -> R { scalar.withCell { body(.value(S.valueKind), $0) } }
    func visit(_ link: ObjectRef, _ kind: AnyKind) -> R { body(kind, link.cell) }
    func visitNull() -> R { body(.none, .null) }
}

private struct WithTextBytes<R>: ValueVisitor {
    let kind: ValueKind
    let body: (UnsafeRawBufferPointer) -> R
    @inline(__always)
    func visit<S: Scalar>(_ scalar: S) -> R? { S.valueKind == kind ? scalar.withTextBytes(body) : nil }
    @inline(__always)
    func visit(_ link: ObjectRef, _ kind: AnyKind) -> R? { nil }
    @inline(__always)
    func visitNull() -> R? { nil }
}

private struct ValueOfCell: KindVisitor {
    let cell: Cell
    @inline(__always)
    func visit<K: StoredKind>(_ kind: K.Type) -> Value { kind.value(cell) }
}

extension Value {
    /// The value a cell of `kind` holds. A text cell must still be valid.
    package init(_ cell: Cell, _ kind: ValueKind) { self = cell.isNull ? .null : kind.visit(ValueOfCell(cell: cell)) }

    /// The scalar it is; nil for nothing and for links. For questions that may cost an indirect call.
    package var scalar: (any Scalar)? { visit(ScalarOfValue()) }

    /// What an AnyValue of this value is.
    package var anyKind: AnyKind { visit(KindOfValue()) }

    /// The kind of a scalar; nil for nothing and for links.
    package var scalarKind: ValueKind? {
        guard case .value(let kind) = anyKind, !kind.isLink else { return nil }
        return kind
    }

    /// Where a link leads, that of an AnyValue to what it owns included.
    package var link: ObjectRef? {
        switch self {
        case .object(let ref), .list(let ref), .dictionary(let ref): ref
        default: nil
        }
    }

    package var isNull: Bool { if case .null = self { true } else { false } }

    package var isNaN: Bool { scalar?.isNaN ?? false }

    /// The cell for a value that is not a text; nil where the value is of another kind or out of its range.
    package func cell(as kind: ValueKind) -> Cell? { visit(CellAsKind(kind: kind)) }

    /// Calls `body` with what an AnyValue of this value is, and the cell that it opens to, which is valid only inside it.
    package func withAnyCell<R>(_ body: (AnyKind, Cell) -> R) -> R {
        withoutActuallyEscaping(body) { visit(WithAnyCell(body: $0)) }
    }

    /// Calls `body` with the bytes of a text; nil, without calling it, where this is no text of `kind`.
    package func withTextBytes<R>(of kind: ValueKind, _ body: (UnsafeRawBufferPointer) -> R) -> R? {
        withoutActuallyEscaping(body) { visit(WithTextBytes(kind: kind, body: $0)) }
    }

    /// The bytes of a text of `kind`; nil for what is none.
    func textBytes(of kind: ValueKind) -> [UInt8]? { withTextBytes(of: kind) { [UInt8]($0) } }

    /// Calls `body` with the cell for a property of `kind`, which is valid only inside it; with nil where the value does not fit.
    package func withCell<R>(as kind: ValueKind, _ body: (Cell?) -> R) -> R {
        if kind.form == .any { return withAnyCell { any, cell in AnyCell.withCell(any, cell) { body($0) } } }
        if let result = withTextBytes(of: kind, { Text.withCell($0) { body($0) } }) { return result }
        return body(cell(as: kind))
    }

    /// The number it is; nil for what is none.
    package var number: Number? { visit(NumberOfValue()) }

    /// Whether they are stored alike: a NaN is itself, zero is not minus zero, and texts are their bytes.
    func isIdentical(to other: Value) -> Bool {
        guard let scalar else { return self == other }
        func isIdentical<S: Scalar>(_ a: S) -> Bool { (other.scalar as? S).map { a.isIdentical(to: $0) } ?? false }
        return isIdentical(scalar)
    }

    /// As messages name it.
    var phrase: String {
        switch anyKind {
        case .none: "nil"
        case .value(let kind): kind.type.phrase
        case .list: "a list"
        case .dictionary: "a dictionary"
        }
    }
}

private struct NumberOfValue: ValueVisitor {
    @inline(__always)
    func visit<S: Scalar>(_ scalar: S) -> Number? { S.isNumber ? scalar.withCell { S.number($0) } : nil }
    func visit(_ link: ObjectRef, _ kind: AnyKind) -> Number? { nil }
    func visitNull() -> Number? { nil }
}

extension Value: CustomStringConvertible {
    /// The value for messages and for a person.
    package var description: String {
        switch self {
        case .null: "nil"
        case .string(let v): "'\(v)'"
        case .object(let v): "#\(v.table):\(v.slot)"
        case .list(let v): "a list (#\(v.table):\(v.slot))"
        case .dictionary(let v): "a dictionary (#\(v.table):\(v.slot))"
        default: scalar?.text ?? "nil"
        }
    }

    /// The value by itself, texts without quotes.
    package var text: String { scalar?.text ?? description }
}

extension Value {
    /// Whether both are one value: numbers of any two kinds by their exact value, NaN being equal to itself; texts as Swift
    /// compares them.
    package func isSame(as other: Value) -> Bool {
        if self == other { return true }
        guard let number, let second = other.number else { return false }
        return NumberOrder.compare(number, second) == 0
    }
}
