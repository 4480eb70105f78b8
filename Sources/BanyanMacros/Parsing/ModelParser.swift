import SwiftDiagnostics
import SwiftIfConfig
import SwiftSyntax

/// Reads a class marked `@Model` into a description, and judges what only the whole class shows.
struct ModelParser {
    private let configuration: (any BuildConfiguration)?
    private var diagnostics: [Diagnostic] = []
    private var properties: [PersistedProperty] = []
    private var initializers = DeclaredInitializers()
    /// Properties in branches of which it is not known whether they are compiled. They are reported.
    private var unplaced: Set<String> = []
    private var mistaken: Set<String> = []
    /// Stored properties that are not persisted and have no default.
    private var uninitialized: [TokenSyntax] = []
    private var codingKeys: [String]?
    /// Those the class declares.
    private var written: [InitializerDeclSyntax] = []

    private init(configuration: (any BuildConfiguration)?) {
        self.configuration = configuration
    }

    /// Returns nil when the declaration is no model. Mistakes inside it are in `diagnostics`, and what has none is still
    /// described, so that one mistake does not become an error for every other property.
    static func parse(
        _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax, enclosing: [Syntax],
        configuration: (any BuildConfiguration)?
    ) -> (model: ModelDescription?, diagnostics: [Diagnostic]) {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else {
            return (nil, [Diagnostic(declaration.introducer, .notAClass(kind: declaration.kindPhrase))])
        }
        let (superclass, problems) = ModelShape.check(declaration, enclosing: enclosing)
        guard let superclass else { return (nil, problems) }
        var parser = ModelParser(configuration: configuration)
        var model = parser.model(declaration, superclass: superclass.trimmed, enclosing: enclosing.first)
        model.mistaken = parser.mistaken
        let (indexes, mistakes) = IndexParser.parse(attribute, in: model)
        model.indexes = indexes
        parser.diagnostics += mistakes
        return (model, parser.diagnostics)
    }

    private mutating func model(
        _ declaration: ClassDeclSyntax, superclass: TypeSyntax, enclosing: Syntax?
    ) -> ModelDescription {
        visit(declaration.memberBlock.members)
        let base = superclass.modelBase
        checkName(declaration.name)
        checkKeys(base: base)
        checkStoredNames()
        checkUninitialized()
        let names = Set(properties.map(\.name)).union(mistaken)
        diagnostics += written.flatMap { InitializerOrder.check($0, persisted: names) }
        // Members of an extension with a modifier have that access; other nested types are on their own.
        let inherited = enclosing?.as(ExtensionDeclSyntax.self).flatMap { AccessLevel(modifiers: $0.modifiers) }
        return ModelDescription(
            identifier: declaration.name.text,
            access: AccessLevel(modifiers: declaration.modifiers) ?? inherited ?? .module,
            superclass: superclass.description, base: base,
            isFinal: declaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) }, properties: properties,
            unplaced: unplaced.sorted(),
            initializers: initializers, codingKeys: codingKeys)
    }

    private mutating func visit(_ members: MemberBlockItemListSyntax) {
        for member in members {
            if let variable = member.decl.as(VariableDeclSyntax.self) {
                visit(variable)
            } else if let initializer = member.decl.as(InitializerDeclSyntax.self) {
                initializers.add(initializer)
                written.append(initializer)
            } else if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
                visit(conditional)
            } else if let nested = member.decl.as(EnumDeclSyntax.self), nested.name.text == "CodingKeys" {
                codingKeys = nested.memberBlock.members.flatMap { member in
                    member.decl.as(EnumCaseDeclSyntax.self)?.elements.map(\.name.text) ?? []
                }
            }
        }
    }

    private mutating func visit(_ variable: VariableDeclSyntax) {
        guard let attribute = variable.attributes.attribute(named: "Persisted") else {
            uninitialized += variable.namesWithoutDefault
            return
        }
        if let property = PropertyParser.parse(variable, attribute).property {
            // Two of one name are the compiler's to report, once.
            guard !properties.contains(where: { $0.name == property.name }) else { return }
            properties.append(property)
        } else {
            for binding in variable.bindings {
                guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
                mistaken.insert(name.withoutBackticks)
            }
        }
    }

    private mutating func visit(_ conditional: IfConfigDeclSyntax) {
        let active = configuration.map { conditional.activeClause(in: $0) }
        guard let active, active.diagnostics.isEmpty else {
            let names = conditional.persistedNames
            if !names.isEmpty {
                diagnostics.append(Diagnostic(conditional, .undecidedCondition))
                unplaced.formUnion(names)
            }
            return
        }
        if case .decls(let members)? = active.clause?.elements {
            visit(members)
        }
    }
}

extension ModelParser {
    private mutating func checkName(_ identifier: TokenSyntax) {
        let name = identifier.text.withoutBackticks
        let bytes = name.utf8.count
        if bytes > Limits.classNameBytes {
            diagnostics.append(Diagnostic(identifier, .classNameTooLong(name: name, bytes: bytes)))
        }
    }

    private mutating func checkKeys(base: ModelDescription.Base) {
        var first: PersistedProperty?
        for property in properties {
            guard case .value(let options) = property.role, options.isPrimaryKey,
                let argument = property.arguments[.primaryKey]
            else { continue }
            if base == .embedded {
                diagnostics.append(Diagnostic(argument, .embeddedPrimaryKey))
            } else if let first {
                diagnostics.append(Diagnostic(argument, .secondPrimaryKey(name: property.name, first: first.name)))
            }
            first = first ?? property
        }
    }

    private mutating func checkStoredNames() {
        var owners: [String: String] = [:]
        for property in properties {
            let stored = property.storedName ?? property.name
            if let first = owners[stored] {
                let node = property.arguments[.name].map { Syntax($0.expression) } ?? Syntax(property.nameToken)
                diagnostics.append(Diagnostic(node, .duplicateStoredName(name: stored, first: first)))
            } else {
                owners[stored] = property.name
            }
        }
    }

    private mutating func checkUninitialized() {
        // A class that writes both initialisers itself may set them there.
        guard !(initializers.hasPlain && initializers.hasBinding) else { return }
        for name in uninitialized {
            diagnostics.append(Diagnostic(name, .ignoredWithoutDefault(name: name.text.withoutBackticks)))
        }
        initializers.leavesPropertiesUnset = !uninitialized.isEmpty
    }
}

extension DeclaredInitializers {
    fileprivate mutating func add(_ initializer: InitializerDeclSyntax) {
        let isConvenience = initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
        if !isConvenience { hasDesignated = true }
        let labels = initializer.signature.parameterClause.parameters.map(\.firstName.text)
        if labels.isEmpty { hasPlain = true }
        if labels == ["_$binding"] { hasBinding = true }
    }
}
