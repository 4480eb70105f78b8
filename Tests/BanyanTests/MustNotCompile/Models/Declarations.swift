// A default is compiled twice: where it stands and where it is set.
// expect: cannot convert value of type 'String' to specified type 'Int'
// expect: cannot assign value of type 'String' to type 'Int'
import Banyan

@Model class Types: Object {
    @Persisted var array: [Int]  // ✗ use 'List<Int>'
    @Persisted var tuple: (Int, Int)  // ✗ a tuple is not stored
    @Persisted var observed = 0 { didSet {} }  // ✗ cannot have observers
    @Persisted static var shared = 0  // ✗ cannot be 'static'
    @Persisted var computed: Int { 1 }  // ✗ a computed property is not stored
    @Persisted(name: "aNameThatIsLongerThanWhatFilesHaveRoomForThatIsSixtyThreeBytes__") var long: Int  // ✗ at most 63
    @Persisted var fine = 1
}

@Model class AClassWithANameThatIsLongerThanWhatFilesHaveRoomForWhichIsFiftySeven: Object {  // ✗ at most 57
    @Persisted var fine = 1
}

class Forgotten: Object {
    @Persisted var name = ""  // ✗ '@Persisted' needs '@Model' in front of 'class Forgotten'
}

@Model class Rootless {  // ✗ 'Rootless' has no superclass
    @Persisted var name = ""
}

@Model struct Value {  // ✗ a struct cannot be a model
    var name = ""
}

@Model class Generic<T>: Object {  // ✗ 'Generic' is generic
    @Persisted var name = ""
}

@Model class Unset: Object {
    var cache: Int  // ✗ 'cache' is not persisted and needs a default
    @Persisted var name = ""
    init(cache: Int) {
        self.cache = cache
        super.init()
    }
}

@Model class Conditional: Object {
    #if canImport(Foundation)  // ✗ a macro cannot evaluate this condition
        @Persisted var name = ""
    #endif
}

@MainActor @Model class Isolated: Object {  // ✗ cannot be isolated by '@MainActor'
    @Persisted var name = ""
}

func generic<T>(_ value: T) {
    @Persisted var name = ""  // ✗ '@Persisted' belongs on a property declared in the body of a '@Model' class
}

@Model class Base: Object {
    @Persisted var last: String
}

@Model(indexes: [["last", "colour"]]) class Clan: Base {  // ✗ has no member 'colour'
    @Persisted var fine = 1
}

@Model class Defaults: Object {
    @Persisted var number: Int = "one"
    @Persisted var fine = 1
}
