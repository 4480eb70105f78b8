import BanyanCore
import Foundation

extension FixtureRecipe {
    func addKeyed() throws {
        for kind in FixtureSchema.keys {
            for number in 0..<6 {
                let required = try create("Keyed\(kind.name)", key: Self.key(kind, number))
                try set(required, "note", .string("note \(number % 3)"))
                let key = number == 2 ? .null : try Self.key(kind, number)
                try set(try create("Keyed\(kind.name)Maybe", key: key), "note", .string(""))
            }
        }
    }

    /// Objects with values of every kind, in the slots that are free.
    func addSingles() throws {
        for number in 0..<9 {
            let id = try create("Single")
            for kind in FixtureSchema.scalars {
                let values = try Self.values(kind)
                try set(id, "one\(kind.name)", values[number % values.count])
                let isNil = number % 3 == 0
                try set(id, "maybe\(kind.name)", isNil ? .null : values[(number * 2 + 1) % values.count])
            }
        }
    }

    func addCollections() throws {
        let type = try table("Many")
        for number in 0..<4 {
            let id = try create("Many")
            // The last one stays empty.
            guard number < 3 else { continue }
            for (i, kind) in FixtureSchema.scalars.enumerated() {
                let values = try Array(Self.values(kind).dropFirst(number))
                let key = FixtureSchema.keys[i % FixtureSchema.keys.count]
                for (suffix, values) in [("", values), ("Maybe", values + [.null])] {
                    let repeated = values + values
                    transaction.listInsert(id, try column(type, "list\(kind.name)\(suffix)"), at: 0, repeated)
                    for (n, value) in values.enumerated() {
                        transaction.setInsert(id, try column(type, "set\(kind.name)\(suffix)"), value)
                        transaction.mapSet(
                            id, try column(type, "map\(kind.name)\(suffix)"), key: try Self.key(key, n), value)
                    }
                }
            }
        }
    }

    func linkAll() throws {
        let singles = try all("Single")
        let type = try table("Many")
        for (number, id) in singles.enumerated() {
            try set(id, "next", number % 4 == 3 ? .null : .object(singles[(number * 5 + 1) % singles.count].ref))
            if number % 2 == 0 { try set(id, "box", newBox("box \(number)", depth: number % 3)) }
        }
        for (number, id) in try all("Many").dropLast().enumerated() {
            let links = (0..<5).map { Value.object(singles[($0 * (number + 2)) % singles.count].ref) }
            transaction.listInsert(id, try column(type, "links"), at: 0, links + links.prefix(2))
            for link in links { transaction.setInsert(id, try column(type, "linkSet"), link) }
            for (n, link) in (links + [.null]).enumerated() {
                transaction.mapSet(id, try column(type, "linkMap"), key: .string("link \(n)"), link)
                transaction.mapSet(
                    id, try column(type, "boxMap"), key: .int(Int64(n)), link.isNull ? .null : try newBoxed(link))
            }
            transaction.listInsert(
                id, try column(type, "boxes"), at: 0, [try newBox(nil, depth: 2), try newBox("second")])
        }
    }

    private func newBoxed(_ link: Value) throws -> Value {
        let box = try newBox("linked")
        if let ref = box.link { try set(transaction.view.id(ref), "link", link) }
        return box
    }

    func addAnyValues() throws {
        let singles = try all("Single")
        let type = try table("Many")
        let values = try Self.values(.any)
        let dog = try find("KeyedString", Self.key(.string, 0))
        for (number, id) in singles.enumerated() {
            try set(id, "any", number == 1 ? .object(singles[0].ref) : values[(number * 4) % values.count])
            try set(id, "otherAny", try deep(number % 4, link: .object(dog.ref)))
        }
        guard let id = try all("Many").first else { throw Missing(what: "Many") }
        transaction.listInsert(
            id, try column(type, "anyList"), at: 0,
            values + [.object(dog.ref), try deep(3, link: .object(singles[2].ref))])
        for value in values + [.object(dog.ref), .object(singles[3].ref)] {
            transaction.setInsert(id, try column(type, "anySet"), value)
        }
        for (number, value) in (values + [.object(singles[1].ref), try deep(2, link: .null)]).enumerated() {
            transaction.mapSet(id, try column(type, "anyMap"), key: .string("k\(number)"), value)
        }
    }

    /// Lists and dictionaries within each other.
    private func deep(_ depth: Int, link: Value) throws -> Value {
        if depth == 0 { return link }
        let inner = try deep(depth - 1, link: link)
        if depth % 2 == 0 { return try dictionary([("inner", inner), ("", .null), ("ø", .double(0.5))]) }
        return try list([.int(1), inner, .string("end"), try list([]), try dictionary([])])
    }

    func addAnimals() throws {
        let kept = try find("KeyedInt", Self.key(.int, 1))
        var names: [ObjectID] = []
        for (number, type) in ["Animal", "Dog", "Puppy", "Dog", "Puppy", "Animal"].enumerated() {
            let id = try create(type, key: .string("\(type) \(number)"))
            names.append(id)
            if number > 0 { try set(id, "friend", .object(names[number - 1].ref)) }
            try set(id, "box", newBox(type))
            guard type != "Animal" else { continue }
            try set(id, "weight", .double(Double(number) * 1.5))
            let toy = try create("KeyedString", key: .string("toy \(number)"))
            transaction.mapSet(id, try column(table(type), "toys"), key: .string("best"), .object(toy.ref))
            if type == "Puppy", number == 2 { try set(id, "weeks", .int(9)) }
        }
        transaction.listInsert(
            names[1], try column(table("Dog"), "parts"), at: 0, [.object(names[2].ref), .object(names[5].ref)])
        try set(names[3], "guarded", .object(kept.ref))
        for id in try all("Many") {
            transaction.listInsert(id, try column(table("Many"), "animals"), at: 0, names.map { .object($0.ref) })
        }
    }

    func addTickets() throws {
        for number in 0..<5 {
            let ticket = try create("Ticket")
            try set(ticket, "code", number == 3 ? .null : .int(Int64(number * 100)))
            try set(ticket, "place", .string("place \(number)"))
            try set(ticket, "row", .int(Int64(number / 2)))
            try set(ticket, "seat", number == 4 ? .null : .string("seat \(number)"))
            try set(ticket, "holder", .object(find("KeyedInt", Self.key(.int, number % 2)).ref))
            try set(ticket, "series", .object(find("KeyedUUID", Self.key(.uuid, number)).ref))
        }
        var previous = Value.null
        for number in 0..<3 {
            let odd = try create("two words")
            try set(odd, "class", .string("class \(number)"))
            try set(odd, "größe \u{1F333}", .double(Double(number) / 4))
            try set(odd, "1st", previous)
            previous = .object(odd.ref)
        }
    }

    func changeLists() throws {
        let type = try table("Many")
        let many = try all("Many")
        for name in ["listString", "listInt", "links", "boxes"] {
            let column = try column(type, name)
            transaction.listMove(many[0], column, from: 0, to: 1)
            transaction.listRemove(many[1], column, 0..<1)
        }
        transaction.listSet(many[0], try column(type, "listInt"), at: 2, .int(4_711))
        transaction.listInsert(many[0], try column(type, "listData"), at: 1, [.data(Data([1, 2, 3]))])
        transaction.setRemove(many[0], try column(type, "setString"), .string("a"))
        let key = FixtureSchema.keys[(FixtureSchema.scalars.firstIndex(of: .string) ?? 0) % FixtureSchema.keys.count]
        transaction.mapRemove(many[0], try column(type, "mapString"), key: try Self.key(key, 0))
        transaction.removeAll(many[2], try column(type, "mapInt"))
        transaction.removeAll(many[2], try column(type, "listDouble"))
    }

    func changeNested() throws {
        let column = try column(table("Single"), "otherAny")
        for id in try all("Single") {
            guard let ref = transaction.view.value(id.ref, column).link,
                ref.table == transaction.layout.tables.count - 1
            else { continue }
            let nested = transaction.view.id(ref)
            switch transaction.view.value(id.ref, column) {
            case .list:
                transaction.listInsert(nested, NestedValues.listColumn, at: 1, [.bool(true), try list([.null])])
            case .dictionary:
                transaction.mapSet(nested, NestedValues.dictionaryColumn, key: .string("new"), .int(1))
                transaction.mapRemove(nested, NestedValues.dictionaryColumn, key: .string(""))
            default: break
            }
        }
    }

    func deleteSome() throws {
        let singles = try all("Single")
        transaction.delete([singles[1], singles[4], singles[6]])
        // Takes its parts and its toys along.
        transaction.delete(try find("Dog", .string("Dog 1")))
        transaction.delete(try all("Ticket")[0])
        transaction.delete(try find("KeyedStringMaybe", .null))
    }

    func addLongTexts() throws {
        var state: UInt64 = 42
        let noise = (0..<20_000).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let singles = try all("Single")
        try set(singles[0], "oneData", .data(Data(noise)))
        try set(singles[0], "oneString", .string(String(repeating: "banyan ø ", count: 8_000)))
        try set(singles[1], "any", .string(String(repeating: "any ", count: 3_000)))
        try set(singles[2], "any", .data(Data(noise.prefix(3_000))))
    }

    /// A small commit.
    func touch(_ number: Int) throws {
        let singles = try all("Single")
        let id = singles[number % singles.count]
        try set(id, "oneInt", .int(Int64(number)))
        try set(id, "maybeString", number % 3 == 0 ? .null : .string("touched by \(number)"))
        let many = try all("Many")
        transaction.listInsert(
            many[number % many.count], try column(table("Many"), "listInt"), at: 0, [.int(Int64(number))])
        if number % 5 == 4 { transaction.delete(singles[singles.count - 1]) }
        if number % 7 == 3 { try addSingles() }
    }
}
