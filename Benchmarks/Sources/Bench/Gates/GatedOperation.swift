import Banyan
import CBench

/// An operation whose instructions and allocations are counted: the hottest paths of the public API.
struct GatedOperation {
    let id: String
    /// How often it runs in the shorter of the two runs; the longer one has three times as many.
    let times: Int
    let run: (Int) throws -> Void

    init(_ id: String, _ times: Int, _ run: @escaping (Int) throws -> Void) {
        (self.id, self.times, self.run) = (id, times, run)
    }

    /// On a small store: the counts do not depend on its size, and the tool that counts is slow.
    static func all() throws -> [GatedOperation] {
        let samples = Samples(2_000)
        let banyan = try BanyanWorld(samples)
        let (store, graph) = (banyan.store, banyan.graph)
        let keys = samples.shuffledKeys()
        let handles = keys.map(banyan.person)
        let hot = handles[0]
        var age = 1_000
        var key = samples.count
        let owner = handles[1]
        let dogs = Array(graph.objects(Dog.self))
        let popular = handles[2]
        try graph.write { popular.friends.append(objectsIn: handles.prefix(1_000)) }

        return [
            GatedOperation("key lookup and read", 1_000) { times in
                var sum = 0
                for i in 0..<times {
                    sum &+= graph.object(ofType: Person.self, forPrimaryKey: keys[i % 2_000])?.age ?? 0
                }
                keep(sum)
            },
            GatedOperation("read Int of a live handle", 1_000) { times in
                var sum = 0
                for _ in 0..<times {
                    sum &+= hot.age
                    bench_barrier()
                }
                keep(sum)
            },
            GatedOperation("read String of a live handle", 1_000) { times in
                var sum = 0
                for _ in 0..<times {
                    sum &+= hot.name.utf8.count
                    bench_barrier()
                }
                keep(sum)
            },
            GatedOperation("read a link and a String behind it", 1_000) { times in
                var sum = 0
                for i in 0..<times { sum &+= handles[i % 2_000].dog?.name.utf8.count ?? 0 }
                keep(sum)
            },
            GatedOperation("make a live object, in table order", 2_000) { times in
                var sum = 0
                for _ in 0..<(times / 2_000) {
                    for person in graph.objects(Person.self) { sum &+= person.age }
                }
                keep(sum)
            },
            GatedOperation("count the owners of an object", 1_000) { times in
                var sum = 0
                for i in 0..<times { sum &+= dogs[i % dogs.count].owners.count }
                keep(sum)
            },
            GatedOperation("first owner of an object, and read", 1_000) { times in
                var sum = 0
                for i in 0..<times { sum &+= dogs[i % dogs.count].owners.first?.age ?? 0 }
                keep(sum)
            },
            GatedOperation("iterate a list, and read", 1_000) { times in
                var sum = 0
                for _ in 0..<(times / 1_000) {
                    for friend in popular.friends { sum &+= friend.age }
                }
                keep(sum)
            },
            GatedOperation("empty read block", 1_000) { times in
                for _ in 0..<times { store.read { keep($0.isFrozen) } }
            },
            GatedOperation("set Int, one transaction", 1_000) { times in
                try graph.write {
                    for i in 0..<times {
                        age += 1
                        handles[i % 2_000].age = age
                    }
                }
            },
            GatedOperation("one-set transaction", 500) { times in
                for i in 0..<times {
                    age += 1
                    try graph.write { handles[i % 2_000].age = age }
                }
            },
            GatedOperation("one-insert transaction", 300) { times in
                for i in 0..<times {
                    key += 1
                    try graph.write {
                        let person = Person(samples.people[i % 2_000])
                        person.id = key
                        try graph.add(person)
                    }
                }
            },
            GatedOperation("bulk insert, per object", 1_000) { times in
                try graph.write {
                    for i in 0..<times {
                        key += 1
                        let person = Person(samples.people[i % 2_000])
                        person.id = key
                        try graph.add(person)
                    }
                }
            },
            GatedOperation("delete a linked object", 300) { times in
                try graph.write {
                    for _ in 0..<times {
                        graph.delete(graph.object(ofType: Person.self, forPrimaryKey: key)!)
                        key -= 1
                    }
                }
            },
            GatedOperation("list append", 1_000) { times in
                try graph.write {
                    let friends = owner.friends
                    for i in 0..<times { friends.append(handles[i % 2_000]) }
                }
            },
        ]
    }
}
