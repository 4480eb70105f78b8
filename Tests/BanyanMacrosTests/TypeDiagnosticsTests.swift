import Testing

@Suite struct TypeDiagnosticsTests {
    @Test(
        "A Swift collection is offered its persisted counterpart",
        arguments: [
            Mistake.line(
                "@Persisted var tags: «[String]", "an array is not stored; use 'List<String>'",
                fixIt: "use 'List<String>'", fixed: "@Persisted var tags: List<String>"),
            .line(
                "@Persisted var tags: «[String] = []  // none", "an array is not stored; use 'List<String>'",
                fixIt: "use 'List<String>'", fixed: "@Persisted var tags: List<String>  // none"),
            .line(
                "@Persisted var tags: «Array<Dog?>?=nil", "an array is not stored; use 'List<Dog?>'",
                fixIt: "use 'List<Dog?>'", fixed: "@Persisted var tags: List<Dog?>"),
            .line("@Persisted var tags = «[1, 2]", "an array is not stored; use 'List<Int>'"),
            .line("@Persisted var tags = «[a]", "an array is not stored; use 'List<Element>'"),
            .line("@Persisted var tags = «[\"a\": [1.5]]", "a dictionary is not stored; use 'Map<String, [Double]>'"),
            .line("@Persisted var tags = «Set<Int>()", "a Swift set is not stored; use 'MutableSet<Int>'"),
            .line(
                "@Persisted var tags: «[String: [Int]] = [:]", "a dictionary is not stored; use 'Map<String, [Int]>'",
                fixIt: "use 'Map<String, [Int]>'", fixed: "@Persisted var tags: Map<String, [Int]>"),
            .line(
                "@Persisted var tags: «Swift.Dictionary<String, Int>",
                "a dictionary is not stored; use 'Map<String, Int>'", fixIt: "use 'Map<String, Int>'",
                fixed: "@Persisted var tags: Map<String, Int>"),
            .line(
                "@Persisted var tags: «Set<String> = Set()", "a Swift set is not stored; use 'MutableSet<String>'",
                fixIt: "use 'MutableSet<String>'", fixed: "@Persisted var tags: MutableSet<String>"),
        ])
    func swiftCollections(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test(
        "A collection cannot be optional",
        arguments: [
            Mistake.line(
                "@Persisted var tags: «List<String>?", "'List' is never nil, only empty; remove the optionality",
                fixIt: "use 'List<String>'", fixed: "@Persisted var tags: List<String>"),
            .line(
                "@Persisted var tags: «Optional<Banyan.MutableSet<Int>> = nil",
                "'MutableSet' is never nil, only empty; remove the optionality",
                fixIt: "use 'Banyan.MutableSet<Int>'", fixed: "@Persisted var tags: Banyan.MutableSet<Int>"),
            .line(
                "@Persisted var tags: «Map<String, Int?>!",
                "'Map' is never nil, only empty; remove the optionality",
                fixIt: "use 'Map<String, Int?>'", fixed: "@Persisted var tags: Map<String, Int?>"),
            .line(
                "@Persisted(originProperty: \"dogs\") var owners: «LinkingObjects<Person>?",
                "'LinkingObjects' is never nil, only empty; remove the optionality",
                fixIt: "use 'LinkingObjects<Person>'",
                fixed: "@Persisted(originProperty: \"dogs\") var owners: LinkingObjects<Person>"),
        ])
    func optionalCollections(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test(
        "Types that nothing can make storable are reported",
        arguments: [
            Mistake.line(
                "@Persisted var size: «(Int, Int)",
                "a tuple is not stored; use an 'EmbeddedObject' with a property for each part"),
            .line(
                "@Persisted var action: «(@Sendable () -> Void)?",
                "a function is not stored; leave out '@Persisted' for what belongs to the instance alone"),
            .line(
                "@Persisted var value: «Any?", "'Any?' is not stored; use 'AnyValue' for values of changing types"),
            .line(
                "@Persisted var value: «any Equatable",
                "'any Equatable' is not stored; use 'AnyValue' for values of changing types"),
            .line(
                "@Persisted var value: «AnyObject",
                "'AnyObject' is not stored; use 'AnyValue' for values of changing types"),
            .line(
                "@Persisted var value: «Dog.Type",
                "'Dog.Type' is not stored; use 'AnyValue' for values of changing types"),
        ])
    func abstractTypes(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test(
        "What may be storable, as far as its spelling goes, is left to the type checker",
        arguments: [
            "@Persisted var a: URL", "@Persisted var a: Dog?", "@Persisted var a: Optional<Status> = .open",
            "@Persisted var a: Outer.Set<Int>", "@Persisted var a: List<[Int]>", "@Persisted var a: (Int)",
            "@Persisted var a = Status.open", "@Persisted var a: Int!", "@Persisted(primaryKey: true) var a: Key",
            "@Persisted(indexed: .ordered) var a: Status", "@Persisted(deleteRule: .cascade) var a: Map<String, Dog?>",
            "@Persisted(deleteRule: rule) var a: Dog?",
        ])
    func unknownTypes(line: String) {
        #expect(findings(in: inModel(line)).isEmpty)
    }
}
