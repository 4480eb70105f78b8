import Banyan

@Model class Dog: Object {
    @Persisted var name: String
    @Persisted var age: Int
    var cache = 0

    init(first: String) {
        name = first  // ✗ 'name' is stored in the object
        super.init()
    }

    init(self first: String, age: Int) {
        cache = 1
        if age > 1 {
            self.age += age  // ✗ 'age' is stored in the object
        }
        super.init()
        name = first
    }

    init(fine: String) {
        cache = 2
        super.init()
        name = fine
    }

    convenience init(also: String) {
        self.init()
        name = also
    }
}
