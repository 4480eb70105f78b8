import BanyanCore
import BanyanPersistence

/// Holds a commit's journal record, read back without the graph, against the difference between the model before and
/// after: exactly what differs, with its old and its new value, and nothing else but collections that are what they
/// were.
struct RecordComparison {
    let record: CommitRecord
    let before: Model
    let after: Model

    func compare() throws {
        var created: Set<ObjectID> = []
        var deleted: Set<ObjectID> = []
        var modified: [ObjectID: Set<Int>] = [:]
        for entry in record.objects {
            let columns = Set(entry.properties.map(\.column))
            try require(columns.count == entry.properties.count, "the record names a property of \(entry.id) twice")
            switch entry.kind {
            case .created: created.insert(entry.id)
            case .deleted: deleted.insert(entry.id)
            case .modified: modified[entry.id] = columns
            }
            for property in entry.properties { try compare(entry, property) }
            guard entry.kind != .modified else { continue }
            for (column, property) in whole(entry).properties.enumerated() where !columns.contains(column) {
                try require(isInitial(property, entry.id, column), "the record does not name \(entry.id).[\(column)]")
            }
        }
        let touched = Set(after.touched.keys)
        try require(
            created == touched.filter { after.contains($0) && !before.contains($0) }, "the record creates \(created)")
        try require(
            deleted == touched.filter { before.contains($0) && !after.contains($0) }, "the record deletes \(deleted)")
        for (id, columns) in after.touched where before.contains(id) && after.contains(id) {
            for column in columns where ChangeSetComparison.differs(before[id, column], after[id, column]) {
                let isNamed = modified[id]?.contains(column) ?? false
                try require(isNamed, "the record does not name \(id).[\(column)], which changed")
            }
        }
    }

    /// The object as it is in the model that has it.
    private func whole(_ entry: CommitRecord.ObjectEntry) -> Model.Object {
        (entry.kind == .deleted ? before : after).objects[entry.id] ?? Model.Object(properties: [])
    }

    private func isInitial(_ property: Model.Property, _ id: ObjectID, _ column: Int) -> Bool {
        let schema = Model.property(id, column)
        return switch property {
        case .single(let value): value.isIdentical(to: .initial(schema.kind, isOptional: schema.isOptional))
        case .list(let values), .set(let values): values.isEmpty
        case .map(let entries): entries.isEmpty
        case .inverse: true
        }
    }

    // MARK: One property

    private func compare(_ entry: CommitRecord.ObjectEntry, _ property: CommitRecord.PropertyEntry) throws {
        let place = "\(entry.id).[\(property.column)] in the record"
        let old = side(before, entry.id, property.column)
        let new = side(after, entry.id, property.column)
        switch (property.change, old, new) {
        case (.value(let a, let b), .single(let x), .single(let y)):
            try require(
                a.isIdentical(to: x) && b.isIdentical(to: y),
                "\(place) goes from \(a.brief) to \(b.brief), expected \(x.brief) to \(y.brief)")
        case (.list(let edits), .list(let x), .list(let y)):
            let result = try replay(edits, on: x, place)
            try require(Self.same(result, y), "\(place) ends with other elements")
        case (.set(let removed, let inserted), .set(let x), .set(let y)):
            try require(Self.same(removed, Self.without(x, y)), "\(place) loses \(removed.map(\.brief))")
            try require(Self.same(inserted, Self.without(y, x)), "\(place) gains \(inserted.map(\.brief))")
        case (.map(let removed, let inserted, let changed), .map(let x), .map(let y)):
            try compareMap(removed, inserted, changed, x, y, place)
        default: throw Failure("\(place) is of another shape")
        }
    }

    /// What a property holds on one side; for an object that is not there, what it holds before anything is set.
    private func side(_ model: Model, _ id: ObjectID, _ column: Int) -> Model.Property {
        if let property = model[id, column] { return property }
        let schema = Model.property(id, column)
        return switch schema.shape {
        case .single: .single(.initial(schema.kind, isOptional: schema.isOptional))
        case .list: .list([])
        case .set: .set([])
        case .map: .map([])
        case .inverse: .inverse
        }
    }

    private func replay(_ edits: [CommitRecord.ListEdit], on old: [Value], _ place: String) throws -> [Value] {
        var result: [Value] = []
        var rest = old[...]
        func take(_ values: [Value]) throws {
            try require(Self.same(Array(rest.prefix(values.count)), values), "\(place) has other old elements")
            rest = rest.dropFirst(values.count)
        }
        for edit in edits {
            switch edit {
            case .kept(let count):
                result += rest.prefix(count)
                rest = rest.dropFirst(count)
            case .set(let old, let new):
                try take(old)
                result += new
            case .inserted(let values): result += values
            case .removed(let values): try take(values)
            }
        }
        return result + rest
    }

    private func compareMap(
        _ removed: [CommitRecord.MapEntry], _ inserted: [CommitRecord.MapEntry], _ changed: [CommitRecord.MapChange],
        _ old: [Model.Entry], _ new: [Model.Entry], _ place: String
    ) throws {
        func entry(_ entries: [Model.Entry], _ key: Value) -> Value? {
            entries.first { $0.key.compare(key) == 0 }?.value
        }
        for item in removed {
            let isRight = entry(old, item.key)?.isIdentical(to: item.value) ?? false
            try require(isRight && entry(new, item.key) == nil, "\(place) loses the key \(item.key.brief)")
        }
        for item in inserted {
            let isRight = entry(new, item.key)?.isIdentical(to: item.value) ?? false
            try require(isRight && entry(old, item.key) == nil, "\(place) gains the key \(item.key.brief)")
        }
        for item in changed {
            guard let x = entry(old, item.key), let y = entry(new, item.key), x.isIdentical(to: item.old),
                y.isIdentical(to: item.new), !x.isIdentical(to: y)
            else { throw Failure("\(place) changes the key \(item.key.brief)") }
        }
        let lost = old.count { entry(new, $0.key) == nil }
        let gained = new.count { entry(old, $0.key) == nil }
        let other = new.count { item in entry(old, item.key).map { !$0.isIdentical(to: item.value) } ?? false }
        try require(
            removed.count == lost && inserted.count == gained && changed.count == other,
            "\(place) has \(removed.count), \(inserted.count), \(changed.count) keys, not \(lost), \(gained), \(other)"
        )
    }

    private static func same(_ a: [Value], _ b: [Value]) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
    }

    private static func without(_ a: [Value], _ b: [Value]) -> [Value] {
        a.filter { value in !b.contains { $0.isIdentical(to: value) } }
    }
}
