import MockRuntime
import Testing

@Test func local() {
    @Model class Cat: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = "Tom"
        @Persisted var friends: List<Mouse>
    }
    @Model class Mouse: Object {
        @Persisted var name = "Jerry"
        @Persisted(originProperty: "friends") var cats: LinkingObjects<Cat>
    }
    let cat = Cat()
    cat.id = 5
    #expect(cat.id == 5)
    #expect(cat.name == "Tom")
    #expect(Mouse._$model.properties.count == 2)
    print(Cat._$model.properties, Puppy._$model.properties, Zoo.Animal._$model.properties)
}
