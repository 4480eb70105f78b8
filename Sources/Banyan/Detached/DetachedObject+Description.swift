#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What `print` shows of detached values: classes, properties and values, as an initialiser would be written.

extension DetachedObject {
    public var description: String {
        let fields = DetachedText.fields(of: self).map { "\($0.name): \(DetachedText.text($0.value))" }
        return "\(Self._$name)(\(fields.joined(separator: ", ")))"
    }
}

extension DetachedLink: CustomStringConvertible {
    /// The class, and the key or the identity; or the value.
    public var description: String {
        switch self {
        case .key(let key): "\(Target._$name)(\(DetachedText.text(key)))"
        case .id(let id): "\(Target._$name)(\(id))"
        case .value(let value): value.description
        case .unmanaged: "\(Target._$name)(unmanaged)"
        }
    }
}

/// A property in a box.
protocol DetachedBoxed {
    var boxed: Any { get }
}

extension _DetachedBox: DetachedBoxed {
    var boxed: Any { wrappedValue }
}

private enum DetachedText {
    /// Those of the superclass first.
    static func fields(of value: Any) -> [(name: String, value: Any)] {
        var fields: [(name: String, value: Any)] = []
        for (label, value) in Mirror(reflecting: value).children {
            let label = label ?? ""
            if label == "_$super" {
                fields += Self.fields(of: value)
            } else if let box = value as? any DetachedBoxed {
                fields.append((String(label.dropFirst()), box.boxed))
            } else {
                fields.append((label, value))
            }
        }
        return fields
    }

    /// Without the modules of types, and where they are, which Swift would print inside collections.
    static func text(_ value: Any) -> String {
        if let text = value as? String { return text.debugDescription }
        if let data = value as? Data { return "\(data.count) bytes" }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { text($0.value) } ?? "nil"
        case .collection, .set: return "[\(mirror.children.map { text($0.value) }.joined(separator: ", "))]"
        case .dictionary:
            let entries = mirror.children.map { entry in
                Mirror(reflecting: entry.value).children.map { text($0.value) }.joined(separator: ": ")
            }
            return entries.isEmpty ? "[:]" : "[\(entries.joined(separator: ", "))]"
        default: return String(describing: value)
        }
    }
}
