package import BanyanCore

/// One commit without Swift types: what the journal keeps of it, for `banyan log`, the change feed and undo.
package struct CommitRecord: Sendable, Hashable {
    package var metadata: CommitMetadata
    /// Deletions, then creations, then modifications; each by table and slot.
    package var objects: [ObjectEntry]

    package init(metadata: CommitMetadata = CommitMetadata(), objects: [ObjectEntry]) {
        self.metadata = metadata
        self.objects = objects
    }

    package struct ObjectEntry: Sendable, Hashable {
        package enum Kind: Sendable, Hashable { case deleted, created, modified }

        package var kind: Kind
        package var id: ObjectID
        /// By property number. A created object names what is not zero, nil or empty afterwards, a deleted one what was not
        /// before.
        package var properties: [PropertyEntry]

        package init(kind: Kind, id: ObjectID, properties: [PropertyEntry]) {
            self.kind = kind
            self.id = id
            self.properties = properties
        }
    }

    package struct PropertyEntry: Sendable, Hashable {
        /// The property's number in its type.
        package var column: Int
        package var change: Change

        package init(column: Int, change: Change) {
            self.column = column
            self.change = change
        }
    }

    package enum Change: Sendable, Hashable {
        case value(old: Value, new: Value)
        case list([ListEdit])
        case set(removed: [Value], inserted: [Value])
        case map(removed: [MapEntry], inserted: [MapEntry], changed: [MapChange])
    }

    /// One step over a list, from its start: each begins where the one before ended. What follows the last one stays.
    package enum ListEdit: Sendable, Hashable {
        /// So many elements stay as they are.
        case kept(Int)
        case set(old: [Value], new: [Value])
        case inserted([Value])
        case removed([Value])
    }

    package struct MapEntry: Sendable, Hashable {
        package var key: Value
        package var value: Value

        package init(key: Value, value: Value) {
            self.key = key
            self.value = value
        }
    }

    package struct MapChange: Sendable, Hashable {
        package var key: Value
        package var old: Value
        package var new: Value

        package init(key: Value, old: Value, new: Value) {
            self.key = key
            self.old = old
            self.new = new
        }
    }
}
