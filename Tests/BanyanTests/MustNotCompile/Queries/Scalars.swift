import Banyan
import Foundation

enum Mood: String, PersistableEnum { case good, bad }

@Model class Dog: Object {
    @Persisted var name = ""
    @Persisted var nick: String?
    @Persisted var age = 0
    @Persisted var id = UUID()
    @Persisted var born = Date()
    @Persisted var photo = Data()
    @Persisted var mood = Mood.good
    @Persisted var price = Decimal128(0)
    @Persisted var friend: Dog?
    @Persisted var friends: List<Dog>
    @Persisted var names: List<String>
}

func members(_ dogs: Results<Dog>) {
    _ = dogs.where { $0.name.hashValue == 1 }  // ✗ a query knows no members of values
    _ = dogs.where { $0.name.debugDescription == "x" }  // ✗ a query knows no members of values
    _ = dogs.where { $0.friend.name.description == "x" }  // ✗ a query knows no members of values
    _ = dogs.where { $0.friends.name.description == "x" }  // ✗ a query knows no members of values
    _ = dogs.where { $0.names.description == "x" }  // ✗ a query knows no members of values
    _ = dogs.where { $0.age.description == "1" }  // ✗ a query knows no members of values
    _ = dogs.where { $0.id.uuidString == "1" }  // ✗ a query knows no members of values
    _ = dogs.where { $0.born.timeIntervalSince1970 > 0 }  // ✗ a query knows no members of values
    _ = dogs.where { $0.photo.startIndex == 0 }  // ✗ a query knows no members of values
    _ = dogs.where { $0.mood.hashValue == 0 }  // ✗ a query knows no members of values
    _ = dogs.where { $0.price.isZero }  // ✗ a query knows no members of values
    _ = dogs.where { $0.nick.debugDescription == "x" }  // ✗ a query knows no members of values
}
