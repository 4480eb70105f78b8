/// One value in transit between a typed face and a page: up to 16 bytes and whether it is nil.
///
/// A text cell (String, Data) holds up to 15 bytes inline, or the address of a block; a cell read from a page is valid as
/// long as the version it came from is held.
@frozen
@_documentation(visibility: internal)
public struct Cell: Sendable {
    @usableFromInline package var low: UInt64
    @usableFromInline package var high: UInt64
    @usableFromInline package var isNull: Bool

    @inlinable
    package init(low: UInt64 = 0, high: UInt64 = 0, isNull: Bool = false) {
        self.low = low
        self.high = high
        self.isNull = isNull
    }

    @inlinable package static var null: Cell { Cell(isNull: true) }

    /// Reads the `index`-th value of an array of values of `kind`.
    @inlinable
    package init(loading kind: ValueKind, from base: UnsafeRawPointer, at index: Int) {
        self.init()
        switch kind.form {
        case .bit: low = UInt64(base.load(fromByteOffset: index, as: UInt8.self))
        case .int8: low = UInt64(bitPattern: Int64(base.load(fromByteOffset: index, as: Int8.self)))
        case .int16: low = UInt64(bitPattern: Int64(base.loadUnaligned(fromByteOffset: index &* 2, as: Int16.self)))
        case .int32: low = UInt64(bitPattern: Int64(base.loadUnaligned(fromByteOffset: index &* 4, as: Int32.self)))
        case .float32: low = UInt64(base.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
        case .int64, .float64, .link:
            low = base.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
        case .bytes12:
            low = base.loadUnaligned(fromByteOffset: index &* 12, as: UInt64.self)
            high = UInt64(base.loadUnaligned(fromByteOffset: index &* 12 &+ 8, as: UInt32.self))
        case .bytes16, .text, .any:
            low = base.loadUnaligned(fromByteOffset: index &* 16, as: UInt64.self)
            high = base.loadUnaligned(fromByteOffset: index &* 16 &+ 8, as: UInt64.self)
        }
    }

    /// Writes the value as the `index`-th of an array of values of `kind`.
    @inlinable
    package func store(_ kind: ValueKind, to base: UnsafeMutableRawPointer, at index: Int) {
        switch kind.form {
        case .bit, .int8: base.storeBytes(of: UInt8(truncatingIfNeeded: low), toByteOffset: index, as: UInt8.self)
        case .int16:
            base.storeBytes(of: UInt16(truncatingIfNeeded: low), toByteOffset: index &* 2, as: UInt16.self)
        case .int32, .float32:
            base.storeBytes(of: UInt32(truncatingIfNeeded: low), toByteOffset: index &* 4, as: UInt32.self)
        case .int64, .float64, .link:
            base.storeBytes(of: low, toByteOffset: index &* 8, as: UInt64.self)
        case .bytes12:
            base.storeBytes(of: low, toByteOffset: index &* 12, as: UInt64.self)
            base.storeBytes(of: UInt32(truncatingIfNeeded: high), toByteOffset: index &* 12 &+ 8, as: UInt32.self)
        case .bytes16, .text, .any:
            base.storeBytes(of: low, toByteOffset: index &* 16, as: UInt64.self)
            base.storeBytes(of: high, toByteOffset: index &* 16 &+ 8, as: UInt64.self)
        }
    }
}
