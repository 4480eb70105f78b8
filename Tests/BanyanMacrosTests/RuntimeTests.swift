import Foundation
import MockRuntime
import Testing

/// Expansions as the compiler makes them, run against the mock runtime.
@Suite struct RuntimeTests {
    @Test("Properties read and write places of their own")
    func storage() {
        let person = Person()
        person.id = 5
        person.name = "Ada"
        person.address = Address()
        #expect(person.id == 5)
        #expect(person.name == "Ada")
        #expect(person.address?.city == "Oslo")
        #expect(person.binding.writtenSlots == [0, 1, 3])
    }

    @Test("A model is described as it is declared")
    func description() {
        #expect(Person._$model.name == "Person")
        #expect(
            Person._$model.properties.map(\.description) == [
                "id: Int, primaryKey, default",
                "name: String, indexed hash, default",
                "dogs: List<Dog>",
                "address: Optional<Address>",
                "clubs: LinkingObjects<DogClub>, inverse of members",
            ])
        #expect(
            DogClub._$model.properties.map(\.description) == [
                "name: String, indexed ordered, unique, stored as title, default",
                "members: List<Person>, deleteRule deny",
            ])
    }

    @Test("A link that is never nil is what it is set to")
    func requiredLinks() {
        let (membership, person) = (Membership(), Person())
        membership.member = person
        #expect(membership.member === person)
        #expect(
            Membership._$model.properties.prefix(2).map(\.description) == [
                "member: Person, required, deleteRule cascade",
                "club: DogClub, required, deleteRule deny, stored as club_id",
            ])
    }

    @Test("Coding keys of the class's own are named by property")
    func codingKeys() {
        #expect(Membership._$codingKeys?.names == ["since": "from", "guess": "guess", "notes": "notes"])
        #expect(Person._$codingKeys == nil)
    }

    @Test("A detached value has the values of the object, embedded ones nested and links as deep as they are followed")
    func detached() throws {
        let membership = Membership()
        (membership.member, membership.club) = (Person(), DogClub())
        membership.member.name = "Ada"
        membership.since = Branch()
        membership.since?.inner = Branch()
        membership.since?.inner?.name = "inner"
        membership.parent = membership
        membership.guess = 5
        let flat: Membership.Detached = membership.detached()
        #expect(flat.guess == 5 && flat.since?.inner?.name == "inner" && flat.since?.inner?.inner == nil)
        #expect(flat.parent == .unmanaged && flat.member == .key(0))
        guard case .value(let parent)? = membership.detached(depth: 1).parent else {
            Issue.record("the link was not followed")
            return
        }
        #expect(parent.guess == 5 && parent.parent == .unmanaged)
        let decoded = try JSONDecoder().decode(Membership.Detached.self, from: JSONEncoder().encode(flat))
        #expect(decoded == flat)
    }

    @Test("The detached value of a subclass has what the superclass has")
    func detachedSubclass() throws {
        let puppy = Puppy()
        (puppy.name, puppy.weeks) = ("Fido", 4)
        var value = puppy.detached()
        #expect(value.name == "Fido" && value.weeks == 4 && value.objectID == nil)
        value.name = "Rex"
        let data = try JSONEncoder().encode(value)
        let keys = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any]).keys
        #expect(Set(keys) == ["name", "age", "weeks", "born"])
        #expect(try JSONDecoder().decode(Puppy.Detached.self, from: data) == value)
        let asDog: Dog.Detached = puppy.detached()
        #expect(asDog.name == "Fido")
    }

    @Test("Properties of the superclass come first, and each class reaches its own")
    func inheritance() {
        #expect(Puppy._$model.properties.map(\.name) == ["name", "age", "weeks", "born", "kennels"])
        let puppy = Puppy()
        #expect(puppy.name == "Rex")
        #expect(puppy.weeks == 8)
        puppy.age = 2
        puppy.weeks = 9
        puppy.born = .distantPast
        #expect(puppy.binding.writtenSlots == [0, 2, 1, 2, 3])
        #expect((puppy as Dog).age == 2)
        #expect(puppy.weeks == 9)
    }

    @Test("Indexes of several properties name those of the superclass too, and are inherited")
    func indexes() {
        #expect(Puppy._$model.indexes == ["name, weeks", "age, born", "weeks, name unique"])
        #expect(Dog._$model.indexes.isEmpty)
    }

    @Test("A superclass that stores nothing, or is spelled by another name, changes nothing")
    func emptySuperclass() {
        #expect(Empty._$model.propertyCount == 0)
        #expect(Shape().sides == 3)
        #expect(Aliased().one == 1)
        #expect(Aliased().binding.writtenSlots == [1])
    }

    @Test("Defaults that are zero are not written, nor are those of stored objects")
    func defaults() {
        #expect(Person().binding.writtenSlots.isEmpty)
        #expect(Address().binding.writtenSlots == [0])
        let stored = _ObjectBinding(count: 2)
        #expect(Address(_$binding: stored).city == "")
        #expect(stored.writtenSlots.isEmpty)
    }

    @Test("Names that are keywords or phrases are names like others")
    func unusualNames() {
        #expect(
            Kennel._$model.properties.map(\.name) == [
                "puppies", "tags", "default", "self", "init", "two words", "secret",
            ])
        let kennel = Kennel()
        #expect(kennel.default == false)
        #expect(kennel.`self` == 1.5)
        #expect(kennel.`init` == 7)
        kennel.`two words` = 2
        #expect(kennel.`two words` == 2)
        #expect(Kennel._$model.properties[0].attributes.isEmpty, "an empty collection is no default")
    }

    @Test("Initialisers of the class work beside those of a model")
    func initializers() {
        #expect(Kennel(note: "n").shown == "nn")
        #expect(Kennel(copying: Kennel(note: "n")).note == "n")
        #expect(Kennel(_$binding: _ObjectBinding(count: 7)).note == "live")
        #expect(Shelf(title: "top").title == "top")
        #expect(Shelf().position == 3)
        #expect(Tool(copying: Tool(title: "saw")).title == "saw")
        #expect(Tool(_$binding: _ObjectBinding(count: 1)).title == "")
        #expect(Zoo.Keeper()._$isFresh)
    }

    @Test("Only the properties of the branch that is compiled are stored")
    func conditions() {
        #expect(Zoo.Animal._$model.properties.map(\.name) == ["legs", "kept", "last"])
        #expect(Zoo.Animal().last)
    }

    @Test("Private classes and classes of a function are models")
    func localAndPrivate() {
        @Model class Cat: Object {
            @Persisted(primaryKey: true) var id = UUID()
            @Persisted var name = "Tom"
            @Persisted var chases: List<Mouse>
        }
        @Model class Kitten: Cat {
            @Persisted var weeks = 3
        }
        @Model class Mouse: Object {
            @Persisted(originProperty: "chases") var cats: LinkingObjects<Cat>
        }
        #expect(hiddenNumber() == 21)
        #expect(Cat().id != Cat().id)
        #expect(Kitten().weeks == 3)
        #expect(Kitten._$model.properties.map(\.name) == ["id", "name", "chases", "weeks"])
        #expect(Mouse._$model.properties[0].attributes == ["inverse of chases"])
        let make: () -> Int = {
            @Model final class Closed: Object { @Persisted var x = 4 }
            return Closed().x
        }
        #expect(make() == 4)
    }
}

extension ObjectBase {
    fileprivate var _$isFresh: Bool { binding.writtenSlots.isEmpty }
}
