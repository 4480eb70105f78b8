/// What values add up to, each kind in a part of its own, so that nothing is rounded before the end.
package struct ScalarSum: Sendable {
    /// Integers, and the whole seconds of durations.
    var integer: Int128 = 0
    /// What is left of durations, in attoseconds.
    var fraction: Int128 = 0
    var binary = 0.0
    var decimal = Decimal128.zero

    /// The sum of AnyValues.
    var number: Decimal128 { decimal + Decimal128(integer) + Decimal128(binary) }
}
