import BenchKit
import Banyan

extension RowGroup {
    static let lists = RowGroup(
        "11a", "11a-iterate", "11b", "11b-delete", title: "lists"
    ) { world in
        let (graph, plain, database, count) = (try world.banyan.graph, world.plain, try world.database, world.count)
        guard let owner = graph.object(ofType: Person.self, forPrimaryKey: 0), let object = plain.people[0] else {
            return []
        }
        let handles = Array(graph.objects(Person.self))
        let few = min(count, world.some(100_000))
        let append = try await contest(
            [
                Entrant(
                    Peer.banyan, count,
                    timing: {
                        try graph.write { owner.friends.removeAll() }
                        return try Clock.processor.seconds {
                            try graph.write {
                                let friends = owner.friends
                                for person in handles { friends.append(person) }
                            }
                        }
                    }),
                Entrant(
                    Peer.plain, count,
                    timing: {
                        object.friends = []
                        for person in plain.inOrder { person.friendOf = [] }
                        return Clock.processor.seconds {
                            for person in plain.inOrder { object.addFriend(person) }
                        }
                    }),
                Entrant(
                    Peer.grdb, few,
                    timing: {
                        try database.removeAllFriends()
                        return try Clock.processor.seconds { try database.appendFriends(0..<few) }
                    }),
            ], runs: world.runs)
        let iterate = try await contest(
            [
                Entrant(Peer.banyan, count) {
                    var sum = 0
                    for friend in owner.friends { sum &+= friend.age }
                    return sum
                },
                Entrant(Peer.plain, count) {
                    var sum = 0
                    for friend in object.friends { sum &+= friend.age }
                    return sum
                },
                Entrant(Peer.grdb, few) {
                    return try database.sumOfColumn(
                        """
                        SELECT person.age FROM friendship JOIN person ON person.id = friendship.friendID
                        WHERE friendship.personID = 0 ORDER BY friendship.position
                        """)
                },
            ], runs: world.runs)
        let (insert, delete) = try await middle(world, owner, object, handles, few)
        world.forget()
        return [
            Row("11a", "list: append all, one transaction", .nanoseconds, seconds: append, [.of(1.2, Peer.plain)]),
            Row(
                "11a-iterate", "list: iterate and read Int", .nanoseconds, seconds: iterate, [.of(4, Peer.plain)]),
            Row("11b", "list of all: insert in the middle", .nanoseconds, seconds: insert, [.limit(400)]),
            Row("11b-delete", "list of all: delete in the middle", .nanoseconds, seconds: delete, [.limit(300)]),
        ]
    }

    private static func middle(
        _ world: World, _ owner: Person, _ object: PlainPerson, _ handles: [Person], _ listed: Int
    ) async throws -> (insert: [String: Double], delete: [String: Double]) {
        let (graph, plain, database) = (try world.banyan.graph, world.plain, try world.database)
        // In a small store, for its growth, there are no more than that to insert.
        let most = max(1, handles.count / 2)
        let (many, few) = (min(world.some(100_000), most), min(world.some(2_000), most))
        let sqlMany = min(listed / 2, world.some(50_000))
        var inserts: [String: [Double]] = [:]
        var deletes: [String: [Double]] = [:]
        for _ in 0..<world.runs {
            inserts[Peer.banyan, default: []].append(
                try Clock.processor.seconds {
                    try graph.write {
                        let friends = owner.friends
                        let middle = friends.count / 2
                        for i in 0..<many { friends.insert(handles[i], at: middle) }
                    }
                } / Double(many))
            inserts[Peer.plain, default: []].append(
                Clock.processor.seconds {
                    let middle = object.friends.count / 2
                    for i in 0..<few { object.addFriend(plain.inOrder[i], at: middle) }
                } / Double(few))
            inserts[Peer.grdb, default: []].append(
                try Clock.processor.seconds { try database.insertFriends(sqlMany, inTheMiddleOf: listed) }
                    / Double(sqlMany))
            deletes[Peer.banyan, default: []].append(
                try Clock.processor.seconds {
                    try graph.write {
                        let friends = owner.friends
                        let middle = friends.count / 2 - many / 2
                        for _ in 0..<many { friends.remove(at: middle) }
                    }
                } / Double(many))
            deletes[Peer.plain, default: []].append(
                Clock.processor.seconds {
                    let middle = object.friends.count / 2 - few / 2
                    for _ in 0..<few { object.removeFriend(at: middle) }
                } / Double(few))
            deletes[Peer.grdb, default: []].append(
                try Clock.processor.seconds { try database.removeFriends(sqlMany, fromTheMiddleOf: listed) }
                    / Double(sqlMany))
        }
        return (inserts.mapValues(median), deletes.mapValues(median))
    }
}

extension PlainPerson {
    @inline(__always)
    fileprivate func addFriend(_ person: PlainPerson) {
        friends.append(person)
        person.friendOf.append(.passUnretained(self))
    }

    fileprivate func addFriend(_ person: PlainPerson, at index: Int) {
        friends.insert(person, at: index)
        person.friendOf.append(.passUnretained(self))
    }

    fileprivate func removeFriend(at index: Int) {
        let person = friends.remove(at: index)
        let me = Unmanaged.passUnretained(self).toOpaque()
        if let i = person.friendOf.firstIndex(where: { $0.toOpaque() == me }) { person.friendOf.remove(at: i) }
    }
}
