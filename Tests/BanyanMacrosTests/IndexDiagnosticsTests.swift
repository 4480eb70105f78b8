import Testing

@Suite struct IndexDiagnosticsTests {
    private static let form =
        "is read at compile time; write a list for each index, as in '[[\"lastName\", \"firstName\"]]'"

    private static func model(_ arguments: String, base: String = "Object") -> String {
        """
        @Model(\(arguments)) class Person: \(base) {
            @Persisted(primaryKey: true) var id = 0
            @Persisted var lastName = ""
            @Persisted var firstName: String?
            @Persisted var score = 0.5
            @Persisted var `class` = ""
            @Persisted var photo: Data
            @Persisted var tags: List<String>
            @Persisted var kind: Kind
            @Persisted(originProperty: "owner") var dogs: LinkingObjects<Dog>
            var notes = ""
        }
        """
    }

    @Test(
        "Indexes of several properties are lists of literals, of two to eight properties that can be indexed",
        arguments: [
            (#"indexes: «names"#, "'indexes' \(form)"),
            (#"indexes: ["id", "lastName"]"#, "'indexes' \(form)"),
            (#"unique: [["id", «name]]"#, "'unique' \(form)"),
            (
                #"indexes: [«["lastName"]]"#,
                "an index here is of two properties or more; write '@Persisted(indexed: .ordered)' on 'lastName' for one"
            ),
            (
                #"unique: [«["lastName"]]"#,
                "an index here is of two properties or more; write '@Persisted(unique: true)' on 'lastName' for one"
            ),
            (#"indexes: [["id", "lastName", «"id"]]"#, "'id' is in the index already"),
            (
                #"indexes: [["id", "lastName"], ["lastName", "id"], «["id", "lastName"]]"#,
                "there is an index of these properties already"
            ),
            (
                #"indexes: [["id", "lastName"]], unique: [«["id", "lastName"]]"#,
                "there is an index of these properties already"
            ),
            (#"indexes: [["lastName", «"middleName"]]"#, "'Person' has no persisted property 'middleName'"),
            (#"indexes: [["lastName", «"notes"]]"#, "'Person' has no persisted property 'notes'"),
            (#"indexes: [["lastName", «"photo"]]"#, "'photo' cannot be in an index: 'Data' has no order of values"),
            (
                #"indexes: [["lastName", «"tags"]]"#,
                "'tags' cannot be in an index: 'List<String>' has no order of values"
            ),
            (
                #"indexes: [["lastName", «"dogs"]]"#,
                "'dogs' cannot be in an index: 'LinkingObjects<Dog>' has no order of values"
            ),
        ])
    func mistakes(arguments: String, message: String) {
        if arguments.contains("«") {
            Mistake(Self.model(arguments), message).expectReported()
        } else {
            // Each name is reported.
            #expect(findings(in: Self.model(arguments)).map(\.message) == [message, message])
        }
    }

    @Test(
        "Good ones are not",
        arguments: [
            #"indexes: []"#, #"indexes: [["lastName", "firstName"]]"#, #"unique: [["score", "class", "id"]]"#,
            #"indexes: [["lastName", "firstName"], ["firstName", "lastName"]], unique: [["kind", "id"]]"#,
        ])
    func good(arguments: String) {
        #expect(findings(in: Self.model(arguments)).isEmpty)
    }

    @Test("Names that a superclass may declare are left to the compiler")
    func inherited() {
        #expect(findings(in: Self.model(#"indexes: [["lastName", "weeks"]]"#, base: "Parent")).isEmpty)
    }

    @Test("A property with a mistake is one mistake")
    func other() {
        Mistake(
            #"@Model(indexes: [["id", "tags"]]) class Dog: Object {"# + "\n    @Persisted var id = 0\n"
                + "    @Persisted var tags: «[String]\n}", "an array is not stored; use 'List<String>'",
            fixIt: "use 'List<String>'",
            fixed: nil
        ).expectFirst()
    }
}

extension Mistake {
    /// Expects that this mistake is the only one, whatever fix it offers.
    fileprivate func expectFirst(sourceLocation: SourceLocation = #_sourceLocation) {
        let found = findings(in: marked.replacing("«", with: ""))
        #expect(found.map(\.message) == [message], sourceLocation: sourceLocation)
    }
}
