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
            .line(
                "@Persisted var tags = «Set<Int>()", "a Swift set is not stored; use 'MutableSet<Int>'",
                fixIt: "use 'MutableSet<Int>'", fixed: "@Persisted var tags: MutableSet<Int>"),
            .line(
                "@Persisted var tags = «[String]()", "an array is not stored; use 'List<String>'",
                fixIt: "use 'List<String>'", fixed: "@Persisted var tags: List<String>"),
            .line(
                "@Persisted var tags = «[String: Int]()  // none", "a dictionary is not stored; use 'Map<String, Int>'",
                fixIt: "use 'Map<String, Int>'", fixed: "@Persisted var tags: Map<String, Int>  // none"),
            .line(
                "@Persisted var tags: «[String: Int] = [:]", "a dictionary is not stored; use 'Map<String, Int>'",
                fixIt: "use 'Map<String, Int>'", fixed: "@Persisted var tags: Map<String, Int>"),
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
                "@Persisted var value: «Any?", "'Any?' is not stored; use 'AnyValue' for values of changing types",
                fixIt: "use 'AnyValue'", fixed: "@Persisted var value: AnyValue"),
            .line(
                "@Persisted var value: «AnyHashable",
                "'AnyHashable' is not stored; use 'AnyValue' for values of changing types", fixIt: "use 'AnyValue'",
                fixed: "@Persisted var value: AnyValue"),
            .line(
                "@Persisted var values: «Map< String, Any >",
                "'Any' is not stored; use 'AnyValue' for values of changing types",
                fixIt: "use 'Map< String, AnyValue >'", fixed: "@Persisted var values: Map< String, AnyValue >"),
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
        "A class of Foundation is offered the value beside it",
        arguments: [
            ("NSString", "String", "String"), ("NSDate?", "Date", "Date?"), ("Foundation.NSData", "Data", "Data"),
            ("NSUUID!", "UUID", "UUID?"), ("NSURL", "String", "String"), ("NSNumber", "Double", "Double"),
            ("NSDecimalNumber?", "Decimal128", "Decimal128?"), ("NSArray?", "List<AnyValue>", "List<AnyValue>"),
            ("NSMutableSet", "MutableSet<AnyValue>", "MutableSet<AnyValue>"),
            ("NSDictionary", "Map<String, AnyValue>", "Map<String, AnyValue>"),
            ("List<NSDate>", "Date", "List<Date>"), ("Map<String, NSString?>", "String", "Map<String, String?>"),
        ])
    func foundationClasses(type: String, stored: String, fixed: String) {
        let name = type.split { "<>?!, ".contains($0) }.first { $0.contains("NS") } ?? ""
        Mistake.line(
            "@Persisted var value: «\(type)", "'\(name)' is not stored; use '\(stored)'", fixIt: "use '\(fixed)'",
            fixed: "@Persisted var value: \(fixed)"
        ).expectReported()
    }

    @Test(
        "What a collection cannot hold is reported as where it stands alone",
        arguments: [
            Mistake.line(
                "@Persisted var values: «List<Any>",
                "'Any' is not stored; use 'AnyValue' for values of changing types", fixIt: "use 'List<AnyValue>'",
                fixed: "@Persisted var values: List<AnyValue>"),
            .line(
                "@Persisted var points: «List<(Int, Int)>",
                "a tuple is not stored; use an 'EmbeddedObject' with a property for each part"),
            .line(
                "@Persisted var numbers: «MutableSet<Int??>", "a stored value is nil or not, once; use 'Int?'",
                fixIt: "use 'MutableSet<Int?>'", fixed: "@Persisted var numbers: MutableSet<Int?>"),
            .line("@Persisted var rows: «List<List<Int>>", nested("List")),
            .line("@Persisted var rows: «List<[Int]>", nested("List")),
            .line("@Persisted var rows: «Map<String, Set<Int>?>", nested("Map")),
            .line("@Persisted var rows: «MutableSet<[Int: Int]>", nested("MutableSet")),
            .line(
                "@Persisted var number: «Int??", "a stored value is nil or not, once; use 'Int?'", fixIt: "use 'Int?'",
                fixed: "@Persisted var number: Int?"),
            .line(
                "@Persisted var dog: «Optional<Dog?>", "a stored value is nil or not, once; use 'Dog?'",
                fixIt: "use 'Dog?'", fixed: "@Persisted var dog: Dog?"),
        ])
    func elements(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test(
        "What may be storable, as far as its spelling goes, is left to the type checker",
        arguments: [
            "@Persisted var a: URL", "@Persisted var a: Dog?", "@Persisted var a: Optional<Status> = .open",
            "@Persisted var a: Outer.Set<Int>", "@Persisted var a: List<UInt>", "@Persisted var a: (Int)",
            "@Persisted var a = Status.open", "@Persisted var a: Int!", "@Persisted(primaryKey: true) var a: Key",
            "@Persisted(indexed: .ordered) var a: Status", "@Persisted(deleteRule: .cascade) var a: Map<String, Dog?>",
            "@Persisted(deleteRule: rule) var a: Dog?",
        ])
    func unknownTypes(line: String) {
        #expect(findings(in: inModel(line)).isEmpty)
    }
}

private func nested(_ outer: String) -> String {
    "a '\(outer)' holds no collections; make its elements an 'EmbeddedObject' that has the inner one, or use 'AnyValue'"
}
