/// A path made certain: tables and columns instead of names.
package struct ResolvedPath: Sendable, Hashable {
    package struct Step: Sendable, Hashable {
        package enum Access: Sendable, Hashable {
            /// A single value or a to-one link.
            case single
            /// The elements of a list or set, the values of a map.
            case elements
            case mapKeys
            /// The value of one key of a map.
            case mapValue(key: Value)
            /// The element of a list at an index; nil beyond its end.
            case element(Int)
            case lastElement
            /// The elements of a list and the values of a dictionary, of which an object that stands for what an
            /// AnyValue holds has one.
            case contents
            /// The objects that link here, each as often as it does; `column` is the inverse property.
            case sources
        }

        package var table: Int
        package var column: Int
        package var access: Access

        /// Whether there may be several values, or none.
        package var isToMany: Bool {
            switch access {
            case .single, .mapValue, .element, .lastElement: false
            case .elements, .mapKeys, .sources, .contents: true
            }
        }
    }

    /// At least one; every one but the last leads to objects, those that stand for what AnyValues hold among them.
    package let steps: [Step]
    /// What the path ends in.
    package let kind: ValueKind
    /// For links: the table of the objects at the end.
    package let target: Int?
    /// As it was written.
    package let written: PropertyPath

    /// Inside SUBQUERY, whose object it starts at: see `PropertyPath`.
    var outer: Int { written.outer }

    /// Whether it can reach several values, or none.
    package var isToMany: Bool { steps.contains(where: \.isToMany) }

    package var last: Step { steps[steps.count - 1] }

    /// Whether it asks what the AnyValue at its end is, instead of which.
    var asksForType: Bool { written.steps.last == .type }

    /// Whether it asks how long the text or the data at its end is.
    var asksForLength: Bool { written.steps.last == .length }

    /// The column of the object itself that the path is, when it goes no further.
    var ownColumn: Int? {
        steps.count == 1 && steps[0].access == .single && !asksForLength && outer == 0 ? steps[0].column : nil
    }
}
