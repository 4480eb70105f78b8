import Testing

@Suite struct ArgumentDiagnosticsTests {
    @Test(
        "A class has one primary key, and an embedded one none",
        arguments: [
            Mistake(
                "@Model class Dog: Object {\n    @Persisted(primaryKey: true) var id = 0\n"
                    + "    @Persisted(«primaryKey: true) var name = \"\"\n}",
                "'name' is a second primary key; 'id' already is the key, and a class has one"),
            Mistake(
                "@Model class Address: EmbeddedObject { @Persisted(«primaryKey: true) var id = 0 }",
                "an embedded object has no primary key; it is found through its owner"),
            Mistake(
                "@Model class Address: Banyan.EmbeddedObject { @Persisted(«primaryKey: true) var id: Int }",
                "an embedded object has no primary key; it is found through its owner"),
        ])
    func keys(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test(
        "A type that cannot be a key is reported",
        arguments: [
            ("Double", "= 1"), ("Float", ""), ("Bool", ""), ("Data?", ""), ("Date", ""), ("Decimal128", ""),
            ("AnyValue", ""), ("List<Int>", ""), ("MutableSet<Int>", ""), ("Map<String, Int>", ""),
        ])
    func keyTypes(type: String, value: String) {
        Mistake.line(
            "@Persisted(«primaryKey: true) var id: \(type) \(value)",
            "'\(type)' cannot be a primary key; use String, an Int, ObjectId or UUID"
        ).expectReported()
    }

    @Test("The type of a key is also seen in its default")
    func inferredKeyType() {
        Mistake.line(
            "@Persisted(«primaryKey: true) var id = -1.5",
            "'Double' cannot be a primary key; use String, an Int, ObjectId or UUID"
        ).expectReported()
        Mistake.line(
            "@Persisted(«primaryKey: true) var id = Date()",
            "'Date' cannot be a primary key; use String, an Int, ObjectId or UUID"
        ).expectReported()
    }

    @Test(
        "Keys are String, any Int, ObjectId or UUID, also optional",
        arguments: [
            "String", "Int", "Int8", "Int16", "Int32", "Int64?", "ObjectId", "Foundation.UUID", "Optional<String>",
        ])
    func goodKeyTypes(type: String) {
        #expect(findings(in: inModel("@Persisted(primaryKey: true, indexed: true) var id: \(type)")).isEmpty)
    }

    @Test(
        "A type that cannot be indexed is reported",
        arguments: ["indexed: true", "indexed: .ordered", "unique: true"],
        ["Double", "Float?", "Data", "Decimal128", "List<Int>", "Map<String, Int>"])
    func indexTypes(argument: String, type: String) {
        let line = "@Persisted(«\(argument)) var value: \(type)"
        if argument == "indexed: .ordered", ["Double", "Float?"].contains(type) {
            #expect(findings(in: inModel(line.replacing("«", with: ""))).isEmpty)
            #expect(findings(in: inModel("@Persisted(\(argument), unique: true) var value: \(type)")).isEmpty)
            return
        }
        let label = argument.prefix { $0 != ":" }
        Mistake.line(
            line,
            "'\(type)' cannot be '\(label)'; String, the Ints, Bool, Date, UUID, ObjectId and AnyValue can, and with "
                + "'indexed: .ordered' Double and Float"
        ).expectReported()
    }

    @Test(
        "A delete rule on what holds no links is reported",
        arguments: ["Int", "String?", "List<Int>", "Map<String, Int?>", "Optional<Date>"])
    func deleteRules(type: String) {
        Mistake.line(
            "@Persisted(«deleteRule: .cascade) var value: \(type)",
            "'deleteRule' is for links and collections of links; '\(type)' holds none"
        ).expectReported()
    }

    @Test("A link that is never nil needs a rule that keeps its target")
    func nullifiedLinks() {
        Mistake.line(
            "@Persisted(deleteRule: .nullify) var owner: «Person",
            "a link that is never nil cannot be cleared when its target is deleted; use 'Person?', or"
                + " 'deleteRule: .cascade' or '.deny'",
            fixIt: "use 'Person?'", fixed: "@Persisted(deleteRule: .nullify) var owner: Person?"
        ).expectReported()
        for rule in [".cascade", "DeleteRule.deny"] {
            #expect(findings(in: inModel("@Persisted(deleteRule: \(rule)) var owner: Person")).isEmpty)
        }
    }

    @Test(
        "What is read at compile time has to be a literal",
        arguments: [
            Mistake.line(
                "@Persisted(primaryKey: «isKey) var id = 0",
                "'primaryKey' is read at compile time; write 'true' or 'false'"),
            .line(
                "@Persisted(unique: «1 == 1) var id = 0", "'unique' is read at compile time; write 'true' or 'false'"),
            .line(
                "@Persisted(indexed: «kind) var id = 0",
                "'indexed' is read at compile time; write 'true', 'false', '.hash' or '.ordered'"),
            .line(
                "@Persisted(name: «\"a\\(b)\") var id = 0", "'name' is read at compile time; write a string literal"),
            .line(
                "@Persisted(originProperty: «name) var owners: LinkingObjects<Person>",
                "'originProperty' is read at compile time; write the property's name as a string literal"),
            .line(
                "@Persisted(inverseOf: «path) var owners: LinkingObjects<Person>",
                "'inverseOf' is read at compile time; write a key path literal"),
        ])
    func literals(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test("Arguments that say no are as good as none")
    func disabled() {
        let line = "@Persisted(primaryKey: false, indexed: false, unique: false) var value: Double"
        #expect(findings(in: inModel(line)).isEmpty)
    }

    @Test("Names have their limits, counted in UTF-8 bytes")
    func nameLengths() {
        let longest = String(repeating: "é", count: 31) + "x"
        let tooLong = longest + "x"
        Mistake.line(
            "@Persisted var «\(tooLong) = 0", "the name '\(tooLong)' takes 64 bytes; a property's has at most 63"
        ).expectReported()
        Mistake.line(
            "@Persisted(name: «\"\(tooLong)\") var id = 0",
            "the name '\(tooLong)' takes 64 bytes; a property's has at most 63"
        ).expectReported()
        #expect(findings(in: inModel("@Persisted var \(longest) = 0")).isEmpty)
        #expect(findings(in: inModel("@Persisted(name: \"id\") var \(tooLong) = 0")).isEmpty)

        let longestClass = String(repeating: "D", count: 57)
        #expect(findings(in: "@Model class \(longestClass): Object {}").isEmpty)
        Mistake(
            "@Model class «D\(longestClass): Object {}",
            "the class name 'D\(longestClass)' takes 58 bytes; the name of a model has at most 57"
        ).expectReported()
    }

    @Test(
        "Stored names are unique and say something",
        arguments: [
            Mistake.line("@Persisted(name: «\"\") var id = 0", "the stored name is empty"),
            .line(
                "@Persisted var id = 0; @Persisted(name: «\"id\") var key = 0",
                "'id' is already the stored name of the property 'id'"),
            .line(
                "@Persisted(name: \"key\") var id = 0; @Persisted var «`key` = 0",
                "'key' is already the stored name of the property 'id'"),
            .line(
                "@Persisted var «`Type` = 0",
                "no property can be read by the name 'Type', which means a metatype; use another, and"
                    + " 'name: \"Type\"' to store it under this one"),
        ])
    func names(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test("Two properties may trade names")
    func tradedNames() {
        let line = "@Persisted(name: \"b\") var a = 0; @Persisted(name: \"a\") var b = 0"
        #expect(findings(in: inModel(line)).isEmpty)
    }
}
