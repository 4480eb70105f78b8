import BanyanCore

extension Map: Sequence {
    public typealias Element = (key: Key, value: Value)

    public var underestimatedCount: Int { count }

    public func makeIterator() -> Iterator {
        guard handle != nil else { return Iterator(unmanagedKeys(), contents) }
        return Iterator(&handle!)
    }

    /// The entries as pairs.
    public func asKeyValueSequence() -> Map { self }

    /// Goes through the entries a map had when the iteration began.
    public struct Iterator: IteratorProtocol {
        private var keys: IndexingIterator<[Key]>
        private var contents: [ComparedByCell<Key>: Value]
        private var cursor: _ElementCursor?

        fileprivate init(_ keys: [Key], _ contents: [ComparedByCell<Key>: Value]) {
            self.keys = keys.makeIterator()
            self.contents = contents
        }

        fileprivate init(_ handle: inout CollectionHandle) {
            self.init([], [:])
            cursor = _ElementCursor(&handle)
        }

        public mutating func next() -> Element? {
            guard cursor != nil else {
                guard let key = keys.next(), let value = contents[ComparedByCell(key)] else { return nil }
                return (key, value)
            }
            guard let (key, value) = cursor?.nextEntry(), let cursor else { return nil }
            let (graph, owner, column) = (cursor.graph, cursor.owner, cursor.column)
            return (graph.element(key, of: owner, column), graph.element(value, of: owner, column))
        }
    }
}

extension Map {
    /// The entries that satisfy a condition, as a dictionary. O(n).
    public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> [Key: Value] {
        var result: [Key: Value] = [:]
        for entry in self where try isIncluded(entry) { result[entry.key] = .some(entry.value) }
        return result
    }

    /// The values transformed, as a dictionary. O(n).
    public func mapValues<T>(_ transform: (Value) throws -> T) rethrows -> [Key: T] {
        var result: [Key: T] = [:]
        for (key, value) in self { result[key] = .some(try transform(value)) }
        return result
    }

    /// Adds the entries of a sequence; for a key that is there `combine` chooses the value from the present and the new one.
    public func merge<S: Sequence>(
        _ entries: S, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows where S.Element == (key: Key, value: Value) {
        for (key, value) in Array(entries) {
            if let present = self.value(of: key) {
                updateValue(try combine(present, value), forKey: key)
            } else {
                updateValue(value, forKey: key)
            }
        }
    }

    /// Adds the entries of a sequence; for a key that is there the new value counts.
    ///
    /// Embedded objects of the map may be among them under other keys, if the keys they have now get new values as well.
    public func merge<S: Sequence>(_ entries: S) where S.Element == (key: Key, value: Value) {
        assign(Array(entries), isWhole: false)
    }

    /// Makes the map hold the entries of a sequence; of two with the same key the last one counts. Those that stay are not a
    /// change. Embedded objects of the map may be among them, under any keys; one under two keys fails the transaction.
    public func replaceAll<S: Sequence>(with entries: S) where S.Element == (key: Key, value: Value) {
        assign(Array(entries), isWhole: true)
    }
}

extension Map: ExpressibleByDictionaryLiteral {
    public convenience init(dictionaryLiteral elements: (Key, Value)...) {
        self.init(elements.map { (key: $0.0, value: $0.1) })
    }
}

// Coded as a keyed container, whatever the keys are: an object in JSON.

private struct TextKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Map: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: TextKey.self)
        for (key, value) in self { try container.encode(value, forKey: TextKey(stringValue: key._$keyText)) }
    }
}

extension Map: Decodable where Value: Decodable {
    public convenience init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: TextKey.self)
        self.init()
        for text in container.allKeys {
            guard let key = Key(_$keyText: text.stringValue) else {
                throw DecodingError.dataCorruptedError(
                    forKey: text, in: container,
                    debugDescription: "'\(text.stringValue)' is not a key of type \(Key.self)")
            }
            updateValue(try container.decode(Value.self, forKey: text), forKey: key)
        }
    }
}
