import BanyanCore
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads untyped values as what the properties of a class want: dictionaries, arrays, objects, decoded JSON. Nothing is made
/// or changed, so that a value which does not fit is found before anything is.
///
/// Objects that are to be made or copied are read one after the other from a list: however deep they are within each other,
/// that needs no stack.
final class ValueReader {
    /// What becomes of objects that others link to.
    enum Links {
        /// They are linked as they are.
        case kept
        /// The same, but for those that the graph does not know: of these copies are made.
        case linked(to: Graph)
        /// Copies are made, as many levels deep.
        case copied(depth: Int)
    }

    /// What an object is to be filled from.
    private enum Source {
        /// Another object, of whose links so many levels are copied.
        case object(ObjectBase, depth: Int)
        /// A dictionary or an array.
        case value(Any)
    }

    let paths: ValuePaths
    private let links: Links
    private var copies: [ObjectBase: ReadObject] = [:]
    /// How many values were read so far. Tests see by it how the work grows with what is given.
    private(set) var valuesRead = 0
    /// Everything that was read, or is still to be.
    private var made: [(read: ReadObject, source: Source)] = []

    init(_ links: Links) {
        self.links = links
        paths = ValuePaths()
    }

    /// What was read refers to each other, as deep as it likes: it is taken apart here, not link by link.
    deinit {
        for (read, _) in made { read.values = [] }
    }

    /// What was read lasts as long as the reader.
    func read(_ value: Any, as type: ObjectBase.Type) throws(BanyanError) -> ReadObject {
        let path = paths.root("\(type)")
        var depth = 0
        if case .copied(let levels) = links { depth = levels }
        let value = ValueConversion.unwrapped(value)
        let read: ReadObject
        if let object = ValueConversion.instance(value, of: ObjectBase.self) {
            guard let copy = copy(of: object, as: type, path, depth) else { throw mismatch(object, path, type) }
            read = copy
        } else {
            read = later(value, type, path)
        }
        try fillCopies()
        return read
    }

    /// Reads a value for one property of an object that is there.
    func read(_ value: Any, for object: ObjectBase, _ column: Int) throws(BanyanError) -> ReadObject {
        let type = Swift.type(of: object)
        let info = type._$model.properties[column]
        let path = paths.root("\(type)")
        let read = ReadObject(type, path)
        read.instance = object
        read.values = [(column, try property(value, info, paths.property(info.name, of: path)))]
        try fillCopies()
        return read
    }

    private func fillCopies() throws(BanyanError) {
        var next = 0
        while next < made.count {
            let (read, source) = made[next]
            // What was given is not kept longer than it takes to read it.
            made[next].source = .value(())
            next += 1
            switch source {
            case .object(let object, let depth): try fill(read, from: object, depth)
            case .value(let value): try fill(read, from: value)
            }
        }
    }

    // MARK: - Objects

    /// What is to be made of another object; nil when its class has nothing to do with `type`.
    private func copy(
        of object: ObjectBase, as type: ObjectBase.Type, _ path: ValuePaths.Path, _ depth: Int
    ) -> ReadObject? {
        let actual = Swift.type(of: object)
        guard actual.inherits(from: type) || type.inherits(from: actual) else { return nil }
        if let known = copies[object] { return known }
        let copy = ReadObject(type, path)
        copies[object] = copy
        made.append((copy, .object(object, depth: depth)))
        return copy
    }

    private func fill(_ copy: ReadObject, from object: ObjectBase, _ depth: Int) throws(BanyanError) {
        let source = type(of: object)._$model
        for (column, property) in copy.type._$model.properties.enumerated() where !property.type.isInverse {
            guard let from = source.property(named: property.name) else { continue }
            let place = paths.property(property.name, of: copy.path)
            let isRequired = property.type.kind.isLink && !property.type.isOptional && property.type.shape == .single
            func element(_ untyped: _Untyped) -> ReadValue? {
                valuesRead += 1
                if property.type.kind == .any, untyped.object == nil {
                    return AnyValue._$make(untyped).map { .any($0) }
                }
                guard let object = untyped.object else { return untyped.value.map { .scalar($0) } }
                return copiedLink(object, place, depth, isRequired: isRequired)
            }
            switch object.untyped(from) {
            case .single(let untyped): copy.values.append((column, element(untyped) ?? .scalar(.null)))
            case .list(let elements): copy.values.append((column, .list(elements.compactMap(element))))
            case .map(let entries):
                let values = entries.compactMap { entry -> (key: Value, value: ReadValue)? in
                    entry.key.value.map { (key: $0, value: element(entry.value) ?? .scalar(.null)) }
                }
                copy.values.append((column, .map(values)))
            }
        }
    }

    /// What a link of an object that is copied becomes; nil for one that goes too deep.
    private func copiedLink(
        _ object: ObjectBase, _ path: ValuePaths.Path, _ depth: Int, isRequired: Bool
    ) -> ReadValue? {
        let type = type(of: object)
        if object is EmbeddedObject { return copy(of: object, as: type, path, depth).map { .object($0) } }
        switch links {
        case .kept: return .link(object)
        case .linked(let graph):
            if !object._isManaged || object._graph?.context === graph.context { return .link(object) }
            return copy(of: object, as: type, path, depth).map { .object($0) }
        case .copied:
            guard depth > 0 || isRequired || copies[object] != nil else { return nil }
            return copy(of: object, as: type, path, max(depth, 1) - 1).map { .object($0) }
        }
    }

    /// An object that stands in a dictionary or an array.
    private func given(
        _ object: ObjectBase, as type: ObjectBase.Type, _ path: ValuePaths.Path
    ) throws(BanyanError) -> ReadValue {
        guard Swift.type(of: object).inherits(from: type) else { throw mismatch(object, path, type) }
        let isKept: Bool
        if object is EmbeddedObject {
            isKept = !object._isManaged
        } else if case .linked(let graph) = links, object._isManaged {
            isKept = object._graph?.context === graph.context
        } else {
            isKept = true
        }
        if isKept { return .link(object) }
        guard let copy = copy(of: object, as: Swift.type(of: object), path, 0) else {
            throw mismatch(object, path, type)
        }
        return .object(copy)
    }

    /// An object that a dictionary or an array says how to make. What is in that is read later.
    private func later(_ value: Any, _ type: ObjectBase.Type, _ path: ValuePaths.Path) -> ReadObject {
        let read = ReadObject(type, path)
        made.append((read, .value(value)))
        return read
    }

    private func fill(_ read: ReadObject, from value: Any) throws(BanyanError) {
        let model = read.type._$model
        if let dictionary = value as? [String: Any] {
            for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) {
                guard let column = model.property(named: name), !model.properties[column].type.isInverse else {
                    throw BanyanError(
                        .unknownProperty, "'\(paths.text(read.path))' has no stored property '\(name)'",
                        remedy: "Its properties are " + model.properties.map(\.name).joined(separator: ", "),
                        at: .init(type: model.name, property: name))
                }
                let place = paths.property(name, of: read.path)
                read.values.append((column, try property(value, model.properties[column], place)))
            }
            read.values.sort { $0.column < $1.column }
        } else if let array = ValueConversion.elements(value) {
            let stored = model.properties.indices.filter { !model.properties[$0].type.isInverse }
            guard array.count <= stored.count else {
                throw BanyanError(
                    .invalidValue,
                    "\(array.count) values were given for the \(stored.count) properties of '\(paths.text(read.path))'",
                    remedy: "They are " + stored.map { model.properties[$0].name }.joined(separator: ", "),
                    at: .init(type: model.name))
            }
            for (column, value) in zip(stored, array) {
                let property = model.properties[column]
                let place = paths.property(property.name, of: read.path)
                read.values.append((column, try self.property(value, property, place)))
            }
        } else {
            throw BanyanError(
                .invalidValue, "a \(Swift.type(of: value)) makes no '\(paths.text(read.path))'",
                remedy: "Give a dictionary, an array or an object", at: .init(path: paths.text(read.path)))
        }
    }

    // MARK: - Properties

    private func property(
        _ value: Any, _ property: _PropertyInfo, _ path: ValuePaths.Path
    ) throws(BanyanError) -> ReadValue {
        let value = ValueConversion.unwrapped(value)
        valuesRead += 1
        switch property.type.shape {
        case .single, .inverse: return try element(value, property, path, isOptional: isOptional(property.type))
        case .list, .set:
            guard let elements = ValueConversion.isNil(value) ? [] : ValueConversion.elements(value) else {
                throw misfit(value, property, path)
            }
            var read: [ReadValue] = []
            for (i, element) in elements.enumerated() {
                read.append(
                    try self.element(
                        element, property, paths.index(i, of: path), isOptional: property.type.isOptional))
            }
            return .list(read)
        case .map:
            guard let entries = ValueConversion.isNil(value) ? [] : ValueConversion.entries(value) else {
                throw misfit(value, property, path)
            }
            var read: [(key: Value, value: ReadValue)] = []
            for (key, value) in entries {
                let place = paths.key("\(key)", of: path)
                guard let mapKey = ValueConversion.key(key, as: property.type.key ?? .string) else {
                    throw misfit(key, property, place)
                }
                read.append((mapKey, try element(value, property, place, isOptional: property.type.isOptional)))
            }
            return .map(read)
        }
    }

    private func isOptional(_ type: _PropertyType) -> Bool { type.isOptional }

    private func element(
        _ value: Any, _ property: _PropertyInfo, _ path: ValuePaths.Path, isOptional: Bool
    ) throws(BanyanError) -> ReadValue {
        let value = ValueConversion.unwrapped(value)
        let type = property.type
        valuesRead += 1
        if type.kind == .any {
            guard let any = try any(value, path) else { throw misfit(value, property, path) }
            guard case .object(let object) = any else { return .any(any) }
            return try given(object, as: Object.self, path)
        }
        if ValueConversion.isNil(value) {
            guard isOptional else { throw misfit(value, property, path) }
            return .scalar(.null)
        }
        if type.kind.isLink, let target = type.target {
            if let custom = value as? any _CustomPersistable, let object = custom._$storedObject {
                return try given(object, as: target, path)
            }
            if let object = ValueConversion.instance(value, of: ObjectBase.self) {
                return try given(object, as: target, path)
            }
            return .object(later(value, target, path))
        }
        guard let converted = ValueConversion.value(value, as: type.kind),
            type.kind.isText || converted.cell(as: type.kind) != nil
        else { throw misfit(value, property, path) }
        guard type.accepts?(converted) ?? true else {
            throw BanyanError(
                .invalidValue, "'\(paths.text(path))' has no value that \(converted) stands for",
                remedy: "Give one that its type can be made of", at: .init(path: paths.text(path)))
        }
        return .scalar(converted)
    }

    private func any(_ value: Any, _ path: ValuePaths.Path) throws(BanyanError) -> AnyValue? {
        do throws(BanyanError) {
            return try AnyValue.converting(value)
        } catch {
            var error = error
            error.location = .init(path: paths.text(path))
            throw error
        }
    }

    // MARK: - Errors

    private func misfit(_ value: Any, _ property: _PropertyInfo, _ path: ValuePaths.Path) -> BanyanError {
        let wanted = property.type.target.map { "\($0)" } ?? property.type.kind.name
        let what = ValueConversion.isNil(value) ? "nil" : "a \(type(of: value))"
        let isElement = paths.isElement(path)
        let path = paths.text(path)
        let shape: String
        switch property.type.shape {
        case .list where !isElement: shape = "List<\(wanted)>"
        case .set where !isElement: shape = "MutableSet<\(wanted)>"
        case .map where !isElement: shape = "Map of \(wanted)"
        default: shape = wanted
        }
        return BanyanError(
            .invalidValue, "'\(path)' is \(shape), and \(what) does not fit",
            remedy: "Give a value of that type, or one that stands for it", at: .init(path: path))
    }

    private func mismatch(
        _ object: ObjectBase, _ path: ValuePaths.Path, _ type: ObjectBase.Type
    ) -> BanyanError {
        let path = paths.text(path)
        return BanyanError(
            .invalidValue, "'\(path)' is \(type), and a \(Swift.type(of: object)) does not fit",
            remedy: "Give an object of that class", at: .init(path: path))
    }
}

extension ObjectBase {
    /// Whether this class is `type`, or one below it.
    fileprivate class func inherits(from type: ObjectBase.Type) -> Bool {
        var next: ObjectBase.Type? = self
        while let current = next {
            if current == type || type == Object.self && !(current is EmbeddedObject.Type) { return true }
            next = current._$model.superclass
        }
        return false
    }
}

extension _Untyped {
    var value: Value? { if case .value(let value) = content { value } else { nil } }
}
