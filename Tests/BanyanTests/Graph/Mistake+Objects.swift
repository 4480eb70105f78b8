import Banyan
import Foundation

// Objects that are gone, belong elsewhere, have the wrong key or the wrong owner, or are of no known type.

extension Mistake {
    static let gone: [Mistake] = [
        Mistake("a scalar of a deleted object is set", .invalidatedObject, "Hound", "name") { _, world in
            world.gone.name = "x"
        },
        Mistake("a number of a deleted object is set", .invalidatedObject, "Hound", "age") { _, world in
            world.gone.age = 1
        },
        Mistake("a number of an object deleted in this write is set", .invalidatedObject, "Owner", "age") {
            graph, world in
            world.owner.age = 4
            graph.delete(world.owner)
            world.owner.age = 5
        },
        Mistake("a scalar of a deleted object is read", .invalidatedObject, "Hound", "name") { _, world in
            _ = world.gone.name
        },
        Mistake("a link of an object deleted in this write is read", .invalidatedObject, "Owner", "favourite") {
            graph, world in
            graph.delete(world.owner)
            _ = world.owner.favourite
        },
        Mistake("a link of an object deleted in this write is set", .invalidatedObject, "Owner", "favourite") {
            graph, world in
            graph.delete(world.owner)
            world.owner.favourite = world.hound
        },
        Mistake("an optional of a deleted object is set", .invalidatedObject, "Register", "title") { _, world in
            world.goneRegister.title = "x"
        },
        Mistake("a unique value of a deleted object is set", .invalidatedObject, "Register", "number") { _, world in
            world.goneRegister.number = 3
        },
        Mistake("an inverse of a deleted object is read", .invalidatedObject, "Hound", "owners") { _, world in
            _ = world.gone.owners.count
        },
        Mistake("a list of a deleted object is read", .invalidatedObject, "Register", "lines") { _, world in
            _ = world.goneRegister.lines.count
        },
        Mistake("a list of an object deleted in this write is changed", .invalidatedObject, "Owner", "hounds") {
            graph, world in
            let list = world.owner.hounds
            graph.delete(world.owner)
            list.append(world.hound)
        },
        Mistake("a list of a deleted object is assigned", .invalidatedObject, "Register", "lines") { _, world in
            world.goneRegister.lines = List(["x"])
        },
        Mistake("a list of a deleted object is emptied", .invalidatedObject, "Register", "lines") { _, world in
            world.goneRegister.lines.removeAll()
        },
        Mistake("a set of a deleted object is changed", .invalidatedObject, "Register", "marks") { _, world in
            world.goneRegister.marks.insert("x")
        },
        Mistake("a set of a deleted object is asked", .invalidatedObject, "Register", "marks") { _, world in
            _ = world.goneRegister.marks.contains("x")
        },
        Mistake("a map of a deleted object is changed", .invalidatedObject, "Register", "entries") { _, world in
            world.goneRegister.entries["x"] = "y"
        },
        Mistake("a map of a deleted object is read", .invalidatedObject, "Register", "entries") { _, world in
            _ = world.goneRegister.entries["x"]
        },
        Mistake("a deleted object is linked to", .invalidatedObject, "Hound") { _, world in
            world.owner.favourite = world.gone
        },
        Mistake("a deleted object is appended", .invalidatedObject, "Hound") { _, world in
            world.owner.hounds.append(world.gone)
        },
        Mistake("a deleted object is put in a set", .invalidatedObject, "Hound") { _, world in
            world.owner.walked.insert(world.gone)
        },
        Mistake("a deleted object is put in a map", .invalidatedObject, "Hound") { _, world in
            world.owner.byName["x"] = world.gone
        },
        Mistake("a deleted object is linked to by an unmanaged one", .invalidatedObject, "Hound") { graph, world in
            let owner = Owner(3)
            owner.favourite = world.gone
            try graph.add(owner)
        },
        Mistake("a deleted object is added", .invalidatedObject, "Hound") { graph, world in
            try graph.add(world.gone)
        },
        Mistake("a deleted object is deleted", .invalidatedObject, "Hound") { graph, world in graph.delete(world.gone)
        },
        Mistake("an embedded object that was let go is given a place", .invalidatedObject, "Abode") { _, world in
            world.owner.abode = nil
            world.text.abode = world.abode
        },
    ]

    static let strangers: [Mistake] = [
        Mistake("an unmanaged object is deleted", .foreignObject, "Hound", namesObject: false) { graph, _ in
            graph.delete(Hound("x"))
        },
        Mistake("one of several objects to delete is unmanaged", .foreignObject, "Hound", namesObject: false) {
            graph, world in
            graph.delete([world.hound, Hound("x")])
        },
        Mistake("an unmanaged embedded object is deleted", .foreignObject, "Abode", namesObject: false) { graph, _ in
            graph.delete(Abode("x"))
        },
        Mistake("a foreign object is deleted", .foreignObject, "Hound") { graph, world in graph.delete(world.foreign) },
        Mistake("a foreign object is added", .foreignObject, "Hound") { graph, world in try graph.add(world.foreign) },
        Mistake("a foreign object is linked to", .foreignObject, "Hound") { _, world in
            world.owner.favourite = world.foreign
        },
        Mistake("a foreign object is linked to by an unmanaged one", .foreignObject, "Hound") { graph, world in
            let owner = Owner(3)
            owner.hounds.append(world.foreign)
            try graph.add(owner)
        },
        Mistake("a foreign object is appended", .foreignObject, "Hound") { _, world in
            world.owner.hounds.append(world.foreign)
        },
        Mistake("a foreign object takes a place in a list", .foreignObject, "Hound") { _, world in
            world.owner.hounds[0] = world.foreign
        },
        Mistake("a foreign object is put in a set", .foreignObject, "Hound") { _, world in
            world.owner.walked.insert(world.foreign)
        },
        Mistake("a foreign object is put in a map", .foreignObject, "Hound") { _, world in
            world.owner.byName["x"] = world.foreign
        },
        Mistake("an object of another graph of the store is linked to", .foreignObject, "Hound") { graph, world in
            let frozen = graph.freeze()
            world.owner.favourite = world.hound.objectID.flatMap { frozen.object(Hound.self, $0) }
        },
    ]

    static let keys: [Mistake] = [
        Mistake("a primary key is changed", .primaryKeyChanged, "Owner", "id") { _, world in world.owner.id = 7 },
        Mistake("a primary key that is text is changed", .primaryKeyChanged, "Register", "code") { _, world in
            world.register.code = "another"
        },
        Mistake("a key of an object that was just added is changed", .primaryKeyChanged, "Owner", "id") { graph, _ in
            let owner = Owner(3)
            try graph.add(owner)
            owner.id = 4
        },
        Mistake("a taken key is added", .duplicateKey, "Owner", "id", namesObject: false) { graph, _ in
            try graph.add(Owner(1))
        },
        Mistake("a taken key is created", .duplicateKey, "Register", "code", namesObject: false) { graph, _ in
            try graph.create(Register.self, value: ["code": "one"])
        },
        Mistake("a taken key is linked to", .duplicateKey, "Owner", "id", namesObject: false) { _, world in
            world.owner.friend = Owner(2)
        },
        Mistake("two objects with one key are added", .duplicateKey, "Owner", "id", namesObject: false) { graph, _ in
            try graph.add([Owner(5), Owner(5)])
        },
        Mistake("a unique value is set that another object has", .constraint, "Register", "number") { _, world in
            world.register.number = 2
        },
        Mistake("an object with a taken unique value is added", .constraint, "Register", "number") { graph, _ in
            try graph.add(Register("three", 1))
        },
    ]

    static let owned: [Mistake] = [
        Mistake("an embedded object gets a second owner", .secondOwner, "Owner", "abode") { _, world in
            world.text.abode = world.owner.abode
        },
        Mistake("an embedded object is appended to a second owner's list", .secondOwner, "Owner", "formerAbodes") {
            _, world in
            world.text.formerAbodes.append(world.abode)
        },
        Mistake("an embedded object takes a place in a list", .secondOwner, "Owner", "formerAbodes") { _, world in
            world.owner.formerAbodes[0] = world.abode
        },
        Mistake("an embedded object is put in a second owner's map", .secondOwner, "Owner", "namedAbodes") { _, world in
            world.text.namedAbodes["x"] = world.abode
        },
        Mistake("an embedded object is put in its list again", .secondOwner, "Owner", "formerAbodes") { _, world in
            world.owner.formerAbodes.append(world.owner.formerAbodes[0])
        },
        Mistake("an unmanaged embedded object is appended twice", .secondOwner, "Owner", "formerAbodes") { _, world in
            let abode = Abode("twice")
            world.owner.formerAbodes.append(objectsIn: [abode, abode])
        },
        Mistake("an embedded object becomes its own", .secondOwner, "Abode", "inner") { _, world in
            world.abode.inner = world.abode
        },
        Mistake("an embedded object becomes its own at a remove", .secondOwner, "Abode", "inner") { _, world in
            world.abode.inner?.inner = world.abode
        },
        Mistake("an unmanaged embedded object that is its own is given an owner", .secondOwner, "Abode") { _, world in
            let abode = Abode("loop")
            abode.inner = abode
            world.text.abode = abode
        },
        Mistake("an unmanaged object comes with another's embedded object", .secondOwner, "Owner", "abode") {
            graph, world in
            let owner = Owner(3)
            owner.abode = world.abode
            try graph.add(owner)
        },
    ]

    static let types: [Mistake] = [
        Mistake("a class outside the schema is added", .unknownType, "Link", namesObject: false) { graph, _ in
            try graph.add(Link())
        },
        Mistake("a class outside the schema is created", .unknownType, "Link", namesObject: false) { graph, _ in
            try graph.create(Link.self)
        },
        Mistake("a property that is not there is given", .unknownProperty, "Owner", "nickname", namesObject: false) {
            graph, _ in
            try graph.create(Owner.self, value: ["id": 3, "nickname": "x"])
        },
        Mistake("a value that does not fit is given", .invalidValue, "Owner", "age", namesObject: false) { graph, _ in
            try graph.create(Owner.self, value: ["id": 3, "age": "old"])
        },
    ]
}
