/// What the objects contain: the same for Banyan and for every peer, made before any clock runs.
///
/// Names have 13 bytes. Those of persons come in order, those of dogs in a random one. A fifth of the persons has no e-mail
/// address; every person has a dog, drawn at random, so some dogs have no owner and some have several.
struct Samples {
    struct Person {
        var id: Int
        var name: String
        var age: Int
        var score: Double
        var active: Bool
        var email: String?
        /// The number of the dog.
        var dog: Int
    }

    struct Dog {
        var name: String
        var age: Int
    }

    let count: Int
    private(set) var people: [Person] = []
    private(set) var dogs: [Dog] = []

    init(_ count: Int) {
        self.count = count
        var source = SampleSource(count)
        dogs.reserveCapacity(count)
        people.reserveCapacity(count)
        for i in 0..<count { dogs.append(source.dog(i)) }
        for i in 0..<count { people.append(source.person(i)) }
    }

    /// The keys of all persons in a random order, the same for all who ask with the same seed.
    func shuffledKeys(seed: UInt64 = 42) -> [Int] {
        var random = SplitMix64(seed: seed)
        return (0..<count).shuffled(using: &random)
    }
}

/// Makes the samples one by one, for those who do not want to keep them: first all dogs, then all persons.
struct SampleSource {
    private let count: Int
    private var random = SplitMix64()
    private let width: Int
    private let dogNumbers: [Int]

    init(_ count: Int) {
        self.count = count
        width = 6
        var random = SplitMix64(seed: 7)
        dogNumbers = (0..<count).shuffled(using: &random)
    }

    mutating func dog(_ i: Int) -> Samples.Dog {
        Samples.Dog(name: "dog-" + digits(dogNumbers[i], 9), age: random.below(15))
    }

    mutating func person(_ i: Int) -> Samples.Person {
        let age = random.below(100)
        let bits = random.next()
        return Samples.Person(
            id: i, name: "person-" + digits(i, width), age: age, score: Double(bits >> 11) / Double(1 << 53),
            active: bits & 1 == 0, email: random.below(5) == 0 ? nil : "person-" + digits(i, width) + "@example.org",
            dog: random.below(count))
    }

    private func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
