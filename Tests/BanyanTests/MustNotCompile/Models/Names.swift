// What the compiler says beside, of what it has already.
// expect: overriding non-open property outside of its defining module
// expect: cannot override a property with type
import Banyan

@Model class Taken: Object {
    @Persisted var graph: Int  // ✗ every object has 'graph' already
    @Persisted var fine: String
}

@Model class Twice: Object {
    @Persisted var name: String
    @Persisted var name: Int  // ✗ invalid redeclaration of 'name'
}

@Model struct NoClass {  // ✗ '@Model' belongs on a class
    @Persisted var name = ""
    @Persisted var age: Int
}

@Model actor Actor {  // ✗ '@Model' belongs on a class
    @Persisted var name = ""
    @Persisted var age = 1
}
