public import BanyanCore

extension ObjectId: _PlainScalar, _CustomStorage, _DetachedScalar, PrimaryKeyValue {
    public typealias _DetachedStored = ObjectId
    public typealias _Detached = ObjectId
    @inlinable public static var _$kind: ValueKind { .objectId }
    @inlinable public init(_$bits bits: ObjectId) { self = bits }
    @inlinable public var _$bits: ObjectId { self }
    @inlinable public init(_$cell cell: Cell) { self.init(cell: cell) }
    @inlinable public var _$cell: Cell { cell }
    public static var _$implicitDefault: (@Sendable () -> ObjectId)? { { ObjectId.generate() } }
}
