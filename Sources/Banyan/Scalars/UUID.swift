public import BanyanCore
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension UUID: _PlainScalar, _CustomStorage, _DetachedScalar, PrimaryKeyValue, MapKey {
    public typealias _DetachedStored = UUID
    public typealias _Detached = UUID
    @inlinable public static var _$kind: ValueKind { .uuid }
    @inlinable public init(_$bits bits: _TwoWords) { self.init(cell: bits.cell) }
    @inlinable public var _$bits: _TwoWords { _TwoWords(cell) }
    @inlinable public init(_$cell cell: Cell) { self.init(cell: cell) }
    @inlinable public var _$cell: Cell { cell }
    public static var _$implicitDefault: (@Sendable () -> UUID)? { { UUID() } }
    public var _$keyText: String { uuidString }
    public init?(_$keyText text: String) { self.init(uuidString: text) }
}
