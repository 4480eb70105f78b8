import Banyan

@Model class Cat: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var isIndoor = false
    @Persisted var friend: Cat?
}

func comparisons(_ cats: Results<Cat>) {
    _ = cats.where { $0.name == 1 }  // ✗ cannot be applied to operands of type 'Query<String>' and 'Int'
    _ = cats.where { $0.age == "1" }  // ✗ cannot be applied to operands of type 'Query<Int>' and 'String'
    _ = cats.where { $0.isIndoor > false }  // ✗ cannot be applied to operands of type 'Query<Bool>' and 'Bool'
    _ = cats.where { $0.name }  // ✗ cannot convert
    _ = cats.where { $0.wings == 2 }  // ✗ wings
    _ = cats.sorted(by: \Cat.wings)  // ✗ has no member 'wings'
}
