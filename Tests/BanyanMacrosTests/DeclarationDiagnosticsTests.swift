import Testing

@Suite struct DeclarationDiagnosticsTests {
    @Test(
        "What is not a class, or not a class of its own, cannot be a model",
        arguments: [
            Mistake("@Model «struct Dog {}", "'@Model' belongs on a class; a struct cannot be a model"),
            Mistake("@Model «enum Dog {}", "'@Model' belongs on a class; an enum cannot be a model"),
            Mistake("@Model public «actor Dog {}", "'@Model' belongs on a class; an actor cannot be a model"),
            Mistake("@Model «protocol Dog {}", "'@Model' belongs on a class; a protocol cannot be a model"),
            Mistake(
                "@Model class Dog«<T>: Object {}",
                "'Dog' is generic; a model is one type of the graph and cannot have generic parameters"),
            Mistake(
                "struct Box<T> { @Model class «Dog: Object {} }",
                "'Dog' is declared inside something generic; a model is one type of the graph and has to be declared"
                    + " outside of it"),
            Mistake(
                "func make<T>(_ value: T) { @Model class «Dog: Object { @Persisted var age = 1 } }",
                "'Dog' is declared inside something generic; a model is one type of the graph and has to be declared"
                    + " outside of it"),
            Mistake(
                "«@MainActor @Model class Dog: Object {}",
                "a model cannot be isolated by '@MainActor': its objects live in the isolation domain of their graph",
                fixIt: "remove '@MainActor'", fixed: "@Model class Dog: Object {}"),
        ])
    func notAModel(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test(
        "A class without a superclass is offered Object",
        arguments: [
            Mistake(
                "@Model class «Dog {}",
                "'Dog' has no superclass; a model derives from 'Object', 'EmbeddedObject' or another model",
                fixIt: "derive from 'Object'", fixed: "@Model class Dog: Object {}"),
            Mistake(
                "// A dog.\n@Model\npublic final class «`Dog` /* good */ {\n    @Persisted var age = 1\n}",
                "'Dog' has no superclass; a model derives from 'Object', 'EmbeddedObject' or another model",
                fixIt: "derive from 'Object'",
                fixed: "// A dog.\n@Model\npublic final class `Dog`: Object /* good */ {\n    @Persisted var age = 1\n}"
            ),
            Mistake(
                "@Model class «Dog: Codable, Sendable {}",
                "'Dog' has no superclass; a model derives from 'Object', 'EmbeddedObject' or another model",
                fixIt: "derive from 'Object'", fixed: "@Model class Dog: Object, Codable, Sendable {}"),
            Mistake(
                "@Model class «Dog: @unchecked Sendable {}",
                "'Dog' has no superclass; a model derives from 'Object', 'EmbeddedObject' or another model",
                fixIt: "derive from 'Object'", fixed: "@Model class Dog: Object, @unchecked Sendable {}"),
        ])
    func noSuperclass(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test(
        "A persisted property outside of a model is reported",
        arguments: [
            Mistake(
                "class Dog: Object {\n    «@Persisted var age = 1\n}",
                "'@Persisted' needs '@Model' in front of 'class Dog'"),
            Mistake(
                "import A\n\n/// A dog.\n@available(*, deprecated)\npublic final class Dog: Object {\n"
                    + "    «@Persisted(indexed: true) var age = 1\n}",
                "'@Persisted' needs '@Model' in front of 'class Dog'"),
            Mistake(
                "struct Dog { «@Persisted var age = 1 }",
                "'@Persisted' belongs on a property declared in the body of a '@Model' class"),
            Mistake(
                "extension Dog { «@Persisted var age: Int }",
                "'@Persisted' belongs on a property declared in the body of a '@Model' class"),
            Mistake(
                "«@Persisted var age = 1",
                "'@Persisted' belongs on a property declared in the body of a '@Model' class"),
            Mistake(
                "@Model class Dog: Object { func bark() { «@Persisted var age = 1 } }",
                "'@Persisted' belongs on a property declared in the body of a '@Model' class"),
        ])
    func outsideModel(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test("What is no class is one mistake, however many properties it has", arguments: ["struct", "enum", "actor"])
    func noClass(kind: String) {
        let article = kind == "struct" ? "a" : "an"
        Mistake(
            "@Model «\(kind) Dog {\n    @Persisted var age = 1\n    @Persisted var name: String\n}",
            "'@Model' belongs on a class; \(article) \(kind) cannot be a model"
        ).expectReported()
    }

    @Test(
        "The names of what every object has are refused",
        arguments: ["graph", "objectID", "`isFrozen`", "hashValue", "debugDescription"])
    func reservedNames(name: String) {
        let plain = name.replacing("`", with: "")
        Mistake.line(
            "@Persisted var «\(name) = 1",
            "every object has '\(plain)' already; name the property otherwise, and write 'name: \"\(plain)\"' to store it"
                + " under this name"
        ).expectReported()
    }

    @Test("Two properties of one name, and names that lack backticks, are left to the compiler")
    func compilersOwn() {
        #expect(findings(in: inModel("@Persisted var a = 1; @Persisted var a: String")).isEmpty)
        #expect(findings(in: inModel("@Persisted var self = 1")).isEmpty)
    }

    @Test(
        "Only a plain stored variable can be persisted",
        arguments: [
            Mistake.line(
                "@Persisted «let age = 1", "a persisted property is a 'var'", fixIt: "replace 'let' with 'var'",
                fixed: "@Persisted var age = 1"),
            .line(
                "@Persisted «static var age = 1", "a persisted property cannot be 'static'", fixIt: "remove 'static'",
                fixed: "@Persisted var age = 1"),
            .line(
                "@Persisted public «class var age = 1", "a persisted property cannot be 'class'",
                fixIt: "remove 'class'", fixed: "@Persisted public var age = 1"),
            .line(
                "@Persisted «lazy var age = 1", "a persisted property cannot be 'lazy'", fixIt: "remove 'lazy'",
                fixed: "@Persisted var age = 1"),
            .line(
                "@Persisted «weak var owner: Person?", "a persisted property cannot be 'weak'", fixIt: "remove 'weak'",
                fixed: "@Persisted var owner: Person?"),
            .line(
                "@Persisted «unowned(unsafe) var owner: Person?",
                "a persisted property cannot be 'unowned(unsafe)'", fixIt: "remove 'unowned(unsafe)'",
                fixed: "@Persisted var owner: Person?"),
            .line(
                "@Persisted «override var age: Int", "a persisted property cannot be 'override'",
                fixIt: "remove 'override'", fixed: "@Persisted var age: Int"),
            .line(
                "«@Persisted(indexed: true) var age: Int { 1 }",
                "a computed property is not stored; '@Persisted' does not belong on it",
                fixIt: "remove '@Persisted(indexed: true)'", fixed: "var age: Int { 1 }"),
            .line(
                "«@Persisted var age: Int { get { 1 } set {} }",
                "a computed property is not stored; '@Persisted' does not belong on it",
                fixIt: "remove '@Persisted'", fixed: "var age: Int { get { 1 } set {} }"),
            .line(
                "@Persisted var age = 1 «{ didSet { print(age) } }",
                "a persisted property cannot have observers; use 'observe' on the object instead, which sees changes"
                    + " from everywhere"),
        ])
    func notStored(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test(
        "A property that is not persisted needs a default, because live objects are made without its initialiser",
        arguments: [
            Mistake.line(
                "var «cache: [Int]; init(cache: [Int]) { self.cache = cache; super.init() }",
                "'cache' is not persisted and needs a default, because live objects are made without calling"
                    + " your initialisers"),
            .line(
                "let «cache: Int?; required init() { cache = 1; super.init() }",
                "'cache' is not persisted and needs a default, because live objects are made without calling"
                    + " your initialisers"),
            .line(
                "var first = 1, «`second`: Int { didSet {} }",
                "'second' is not persisted and needs a default, because live objects are made without calling"
                    + " your initialisers"),
        ])
    func ignoredWithoutDefault(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test(
        "What is not persisted and needs no default is left alone",
        arguments: [
            "var a: Int?, b: Int! = 1", "var a: Int { 1 }", "static let a: Int = 1", "lazy var a: Int = { 1 }()",
            "@Wrapped var a: Int", "var a, b: Int?", "static var a: [Int] { [] }",
            "let a: Int; required init() { a = 1 }; required init(_$binding: _ObjectBinding) { a = 2 }",
        ])
    func ignored(line: String) {
        #expect(findings(in: inModel(line)).isEmpty)
    }

    @Test("A condition that a macro cannot evaluate is reported when persisted properties depend on it")
    func condition() {
        let message =
            "a macro cannot evaluate this condition, and so cannot place the persisted properties inside;"
            + " 'canImport' is not known to it, platforms and custom flags are"
        Mistake.line("«#if X\n#if Y\n@Persisted var age = 1\n#endif\n#endif", message).expectReported()
        #expect(findings(in: inModel("#if canImport(Foundation)\nvar age = 1\n#endif")).isEmpty)
    }
}
