import Banyan
import Foundation

// `make bench` runs this; `--smoke` with few objects, to see that it works.
let isSmoke = CommandLine.arguments.contains("--smoke")
let count = isSmoke ? 5_000 : 200_000
let runs = isSmoke ? 1 : 5
var rows: [Row] = []

func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

func fill(_ graph: Graph) throws {
    var dogs: [Dog] = []
    dogs.reserveCapacity(count)
    for i in 0..<count {
        let dog = Dog()
        dog.name = "dog \(i)"
        dog.age = i % 15
        try graph.add(dog)
        dogs.append(dog)
    }
    for i in 0..<count {
        let sample = Sample(i, of: count)
        let person = Person()
        person.id = i
        person.name = sample.name
        person.age = sample.age
        person.score = Double(sample.age)
        person.active = sample.age % 2 == 0
        person.email = sample.email
        person.dog = dogs[sample.dog]
        try graph.add(person)
    }
}

func plain() -> [Int: PlainPerson] {
    let dogs = (0..<count).map { i in
        let dog = PlainDog()
        dog.name = "dog \(i)"
        dog.age = i % 15
        return dog
    }
    var people: [Int: PlainPerson] = [:]
    for i in 0..<count {
        let sample = Sample(i, of: count)
        let person = PlainPerson()
        person.id = i
        person.name = sample.name
        person.age = sample.age
        person.score = Double(sample.age)
        person.active = sample.age % 2 == 0
        person.email = sample.email
        person.dog = dogs[sample.dog]
        dogs[sample.dog].owners.append(.passUnretained(person))
        people[i] = person
    }
    return people
}

say("1: bulk insert")
let insert = try median(of: runs) {
    let graph = Graph(try Store(.init(models: [Person.self])))
    try graph.write { try fill(graph) }
}
let plainInsert = median(of: runs) { _ = plain() }
let objects = Double(2 * count)
rows.append(
    Row(
        id: "1", operation: "bulk insert with link, one transaction", unit: "objects/s", banyan: objects / insert,
        peers: ["plain": objects / plainInsert], ratio: plainInsert / insert, target: ">= 0.6",
        met: plainInsert / insert >= 0.6))

let graph = Graph(try Store(.init(models: [Person.self])))
try graph.write { try fill(graph) }
let people = plain()
let keys = (0..<count).map { ($0 &* 7_919) % count }

say("3: key lookup")
var sum = 0
let lookup = median(of: runs) {
    for key in keys { sum &+= graph.object(ofType: Person.self, forPrimaryKey: key)?.age ?? 0 }
}
let plainLookup = median(of: runs) { for key in keys { sum &+= people[key]?.age ?? 0 } }
let nanoseconds = 1e9 / Double(count)
rows.append(
    Row(
        id: "3", operation: "key lookup and read of an Int, random", unit: "ns", banyan: lookup * nanoseconds,
        peers: ["plain": plainLookup * nanoseconds], ratio: lookup / plainLookup, target: "<= 0.8",
        met: lookup / plainLookup <= 0.8))

say("5: setting an Int")
var round = 0
let set = try median(of: runs) {
    round += 1
    try graph.write { for key in keys { graph.object(ofType: Person.self, forPrimaryKey: key)?.age = key &+ round } }
}
let plainSet = median(of: runs) {
    round += 1
    for key in keys { people[key]?.age = key &+ round }
}
rows.append(
    Row(
        id: "5a", operation: "look up and set an Int, random, one transaction", unit: "ns", banyan: set * nanoseconds,
        peers: ["plain": plainSet * nanoseconds], ratio: set / plainSet, target: "<= 1.0", met: set / plainSet <= 1))

say("13: durable commits")
let directory = FileManager.default.temporaryDirectory.appendingPathComponent("banyan-bench-\(getpid())").path
try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: directory) }
let durable = try await Store.open(.init(directory: directory + "/store", models: [Person.self]))
let writer = Graph(durable)
try writer.write { try writer.add(Dog()) }
let commits = isSmoke ? 50 : 1_000
let dog = writer.objects(Dog.self).first
let commit = try median(of: runs) { for _ in 0..<commits { try writer.write { dog?.age += 1 } } }
try await durable.close()

let file = open(directory + "/raw", O_CREAT | O_WRONLY | O_APPEND, 0o600)
let block = [UInt8](repeating: 7, count: 512)
let raw = median(of: runs) {
    for _ in 0..<commits {
        precondition(write(file, block, block.count) == block.count)
        precondition(fdatasync(file) == 0)
    }
}
close(file)
rows.append(
    Row(
        id: "13a", operation: "durable one-object commits, one writer", unit: "/s", banyan: Double(commits) / commit,
        peers: ["append+fdatasync": Double(commits) / raw], ratio: raw / commit, target: ">= 0.95",
        met: raw / commit >= 0.95))

let report = Report(objects: 2 * count, rows: rows)
report.print()
if !isSmoke { try report.write(to: "results.json") }
precondition(sum != 0)
