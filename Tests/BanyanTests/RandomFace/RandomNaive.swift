// Random values, drawn from small pools, so that they meet again.

extension SplitMix {
    mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
    mutating func chance(_ percent: Int) -> Bool { draw(100) < percent }

    mutating func word() -> String {
        ["", "a", "b", "ab", "zebra", "zoë", "a text that is longer than fifteen bytes", "w\(draw(40))"][draw(8)]
    }

    mutating func int() -> Int { chance(50) ? draw(4) : draw(1000) }

    /// One of these, mostly.
    mutating func one(of ids: [Int]) -> Int? { ids.isEmpty || chance(15) ? nil : ids[draw(ids.count)] }

    mutating func many<T>(upTo count: Int, _ make: (inout SplitMix) -> T) -> [T] {
        (0..<draw(count + 1)).map { _ in make(&self) }
    }

    mutating func any(linkingTo ids: [Int], level: Int = 0) -> NaiveAny {
        switch draw(level < 3 ? 9 : 6) {
        case 0: .none
        case 1: .int(int())
        case 2: .double(Double(int()) / 4)
        case 3: .text(word())
        case 4, 5: one(of: ids).map { .villager($0) } ?? .none
        case 6, 7: .list(many(upTo: 3) { $0.any(linkingTo: ids, level: level + 1) })
        default: .dictionary(entries(upTo: 3) { $0.any(linkingTo: ids, level: level + 1) })
        }
    }

    mutating func entries<T>(upTo count: Int, _ make: (inout SplitMix) -> T) -> [String: T] {
        Dictionary(many(upTo: count) { ($0.word(), make(&$0)) }) { _, last in last }
    }

    mutating func hut(linkingTo ids: [Int]) -> NaiveHut {
        NaiveHut(colour: word(), guest: one(of: ids), rooms: many(upTo: 2) { $0.word() })
    }

    mutating func villager(isElder: Bool, linkingTo ids: [Int]) -> NaiveVillager {
        var result = NaiveVillager(isElder: isElder, name: word(), age: int(), friend: one(of: ids))
        result.pals = many(upTo: 3) { $0.one(of: ids) }.compactMap(\.self)
        result.kin = Set(many(upTo: 3) { $0.one(of: ids) }.compactMap(\.self))
        result.helpers = entries(upTo: 2) { $0.one(of: ids) }
        result.numbers = many(upTo: 4) { $0.int() }
        result.tags = Set(many(upTo: 3) { $0.word() })
        result.scores = entries(upTo: 3) { $0.int() }
        if chance(50) { result.hut = hut(linkingTo: ids) }
        result.huts = many(upTo: 2) { $0.hut(linkingTo: ids) }
        result.keepsake = any(linkingTo: ids)
        result.memories = many(upTo: 2) { $0.any(linkingTo: ids) }
        if isElder {
            result.wisdom = Double(int())
            result.pupil = one(of: ids)
        }
        return result
    }
}
