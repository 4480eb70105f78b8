import SwiftSyntax

/// The initialisers that every model has: `init()`, and the one by which the graph makes a live object. A class without
/// a designated initialiser of its own inherits both; for any other they are written here, unless it has them.
enum InitializerExpansion {
    static func members(of model: ModelDescription) -> [DeclSyntax] {
        let declared = model.initializers
        guard declared.hasDesignated || declared.leavesPropertiesUnset else { return [] }
        let access = model.access.initializerModifier
        var members: [DeclSyntax] = []
        if !declared.hasPlain {
            let body = declared.leavesPropertiesUnset ? "fatalError()" : "super.init()"
            members.append(DeclSyntax(text: "\(access)required init() { \(body) }"))
        }
        if !declared.hasBinding {
            let body = declared.leavesPropertiesUnset ? "fatalError()" : "super.init(_$binding: _$binding)"
            members.append(DeclSyntax(text: "\(access)required init(_$binding: _ObjectBinding) { \(body) }"))
        }
        return members
    }
}
