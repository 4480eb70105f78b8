package import BanyanCore

/// What a program makes of the schema that a store's files hold: at least a layout of its types.
package protocol GraphBinding {
    /// The layout of the graph; its tables are in the order of the schema's types.
    var layout: StoreLayout { get }
}

/// A program without models needs nothing else.
extension StoreLayout: GraphBinding {
    package var layout: StoreLayout { self }
}
