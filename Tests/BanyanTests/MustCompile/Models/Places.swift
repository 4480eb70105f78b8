import Banyan

// Models may stand anywhere, in functions too, and properties may have any name that is not taken.

enum Space {
    @Model final class Nested: Object {
        @Persisted var next: Nested?
        @Persisted var all: List<Nested>
    }
}

@Model private class Hidden: Object {
    @Persisted var name: String
}

@Model fileprivate class Beside: Object {
    @Persisted var hidden: Hidden?
    @Persisted private var others: List<Hidden>
}

func local() -> Int {
    @Model class Local: Object {
        @Persisted(primaryKey: true) var number: Int
        @Persisted var next: Local?
    }
    @Model class Below: Local {
        @Persisted var all: MutableSet<Below>
    }
    return Below().detached().number
}

@Model class Names: Object {
    @Persisted var `self` = 1
    @Persisted var `class`: Names?
    @Persisted var `two words`: List<Names>
    @Persisted var 🐶: Map<String, Names?>
    @Persisted var description = ""
    @Persisted var hash = 1
    @Persisted var detached = 1
    @Persisted var object = 1
    @Persisted var context: Names?
    @Persisted var visitor: List<Names>
    @Persisted var other: MutableSet<Names>
    @Persisted var container = 1
    @Persisted var decoder = 1
    @Persisted var encoder = 1
    @Persisted var element = 1
    @Persisted var type = 1
    @Persisted(name: "graph") var graphName = ""
}

enum Code: String, PersistableEnum { case one, two }
typealias Identifier = String

@Model class Coded: Object {
    @Persisted(primaryKey: true) var code: Code
    @Persisted var below: Below?
}

@Model class Below: Coded {
    @Persisted var aliased: Aliased?
}

@Model class Aliased: Object {
    @Persisted(primaryKey: true) var identifier: Identifier?
    @Persisted var coded: Below?
    @Persisted var codes: List<Code?>
    @Persisted var byCode: Map<Identifier, Code?>
}

func detachedKeys(_ coded: Coded, _ aliased: Aliased) {
    let _: Code = coded.detached().id
    let _: String? = aliased.detached().id
    let _: Code? = aliased.detached().coded?.key
    let _: Below.Detached? = aliased.detached().coded?.value
    let _: [Code?] = aliased.detached().codes
    let _: [String: Code?] = aliased.detached().byCode
    let _: String?? = coded.detached(depth: 2).below?.value?.aliased?.key
}
