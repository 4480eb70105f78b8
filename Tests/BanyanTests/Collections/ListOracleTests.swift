import Banyan
import BanyanCore
import Foundation
import Testing

@Suite("Lists against arrays")
struct ListOracleTests {
    @Test(
        "A list of any kind does in any state what an array does",
        arguments: ElementKind.allCases, CollectionState.allCases)
    func likeAnArray(_ kind: ElementKind, _ state: CollectionState) throws {
        switch kind {
        case .bool: try run(\.bool, Samples.bool, state)
        case .int: try run(\.int, Samples.int, state)
        case .int8: try run(\.int8, Samples.int8, state)
        case .optionalInt: try run(\.optionalInt, Samples.int + [nil, nil], state)
        case .float: try run(\.float, Samples.float, state)
        case .double: try run(\.double, Samples.double, state)
        case .string: try run(\.string, Samples.string, state)
        case .optionalString: try run(\.optionalString, Samples.string + [nil, nil], state)
        case .data: try run(\.data, Samples.data, state)
        case .date: try run(\.date, Samples.date, state)
        case .uuid: try run(\.uuid, Samples.uuid, state)
        case .objectId: try run(\.objectId, Samples.objectId, state)
        case .decimal: try run(\.decimal, Samples.decimal, state)
        case .int16: try run(\.int16, Samples.int16, state)
        case .int32: try run(\.int32, Samples.int32, state)
        case .int64: try run(\.int64, Samples.int64, state)
        case .optionalBool: try run(\.optionalBool, Samples.bool + [nil, nil], state)
        case .optionalInt8: try run(\.optionalInt8, Samples.int8 + [nil, nil], state)
        case .optionalInt16: try run(\.optionalInt16, Samples.int16 + [nil, nil], state)
        case .optionalInt32: try run(\.optionalInt32, Samples.int32 + [nil, nil], state)
        case .optionalInt64: try run(\.optionalInt64, Samples.int64 + [nil, nil], state)
        case .optionalFloat: try run(\.optionalFloat, Samples.float + [nil, nil], state)
        case .optionalDouble: try run(\.optionalDouble, Samples.double + [nil, nil], state)
        case .optionalData: try run(\.optionalData, Samples.data + [nil, nil], state)
        case .optionalDate: try run(\.optionalDate, Samples.date + [nil, nil], state)
        case .optionalUuid: try run(\.optionalUuid, Samples.uuid + [nil, nil], state)
        case .optionalObjectId: try run(\.optionalObjectId, Samples.objectId + [nil, nil], state)
        case .optionalDecimal: try run(\.optionalDecimal, Samples.decimal + [nil, nil], state)
        case .colour: try run(\.colour, Colour.allCases, state)
        case .optionalColour: try run(\.optionalColour, Colour.allCases + [nil], state)
        case .dog:
            try run(\Kennel.dogs, state) { world, generator in
                let id = Int.random(in: 0..<6, using: &generator)
                return Made(text: "dog \(id)") { world.dog(id) }
            }
        case .toy:
            try run(\Kennel.toys, state, isEmbedded: true) { _, generator in
                let name = "\(generator.next())"
                return Made(text: "toy \(name)") { Toy(name) }
            }
        }
    }

    private func run<E>(_ path: KeyPath<Lists, List<E>>, _ samples: [E], _ state: CollectionState) throws {
        try run(path, state) { _, generator in
            let value = samples.randomElement(using: &generator)!
            return Made(text: bits(value)) { value }
        }
    }

    private func run<Owner: Object, E: CollectionValue>(
        _ path: KeyPath<Owner, List<E>>, _ state: CollectionState, isEmbedded: Bool = false,
        _ make: (CollectionWorld<Owner>, inout Generator) -> Made<E>
    ) throws {
        for seed in UInt64(1)...2 {
            var generator = Generator(seed)
            let world = try CollectionWorld<Owner>(state)
            var model: [String] = []
            try world.run {
                for i in 0..<50 {
                    if i == 25 { try world.adopt() }
                    let action = ListAction<E>(model.count, isEmbedded, &generator) { make(world, &$0) }
                    let before = model
                    action.apply(to: &model)
                    try world.step(from: before, to: model, change: { action.apply(to: $0[keyPath: path]) }) {
                        check($0[keyPath: path], $1, "seed \(seed), step \(i): \(action)")
                    }
                }
            }
        }
    }

    private func check<E>(_ list: List<E>, _ model: [String], _ step: @autoclosure () -> String) {
        let shown = list.map { bits($0) }
        guard shown == model, list.count == model.count else {
            Issue.record("\(step()) shows \(shown) instead of \(model)")
            return
        }
        #expect(list.isEmpty == model.isEmpty)
        #expect(list.indices.map { bits(list[$0]) } == model)
        #expect(list.first.map { bits($0) } == model.first)
        #expect(list.last.map { bits($0) } == model.last)
        #expect(Array(list).map { bits($0) } == model)
        let identities = list.map { identity($0) }
        for (i, element) in list.enumerated() where i < 8 {
            #expect(list.index(of: element) == identities.firstIndex(of: identities[i]))
            #expect(list.contains(element))
        }
    }
}

/// One change of a list, and the same of an array of texts.
enum ListAction<E: CollectionValue> {
    case append([Made<E>])
    case insert([Made<E>], Int)
    case set(Made<E>, Int)
    case setOther(Int, Int)
    case remove(Int)
    case removeRange(Range<Int>)
    case replace(Range<Int>, [Made<E>])
    case replaceAll([Made<E>])
    case move(Int, Int)
    case moveMany([Int], Int)
    case swap(Int, Int)
    case sort, reverse, double, dropHalf, removeAll, keepEverySecond

    init(_ count: Int, _ isEmbedded: Bool, _ generator: inout Generator, _ make: (inout Generator) -> Made<E>) {
        func some(_ limit: Int) -> [Made<E>] {
            (0..<Int.random(in: 0...limit, using: &generator)).map { _ in make(&generator) }
        }
        func index() -> Int { Int.random(in: 0..<count, using: &generator) }
        func range() -> Range<Int> {
            let ends = (0..<2).map { _ in Int.random(in: 0...count, using: &generator) }.sorted()
            return ends[0]..<ends[1]
        }
        guard count > 0 else {
            self = .append(some(5))
            return
        }
        switch Int.random(in: 0..<24, using: &generator) {
        case 0...4: self = .append(some(3))
        case 5, 6: self = .insert(some(3), index())
        case 7, 8: self = .set(make(&generator), index())
        case 9: self = isEmbedded ? .reverse : .setOther(index(), index())
        case 10, 11: self = .remove(index())
        case 12: self = .removeRange(range())
        case 13, 14: self = .replace(range(), some(4))
        case 15: self = .replaceAll(some(6))
        case 16: self = .move(index(), index())
        case 17:
            self = .moveMany((0..<3).map { _ in index() }, Int.random(in: 0...count, using: &generator))
        case 18: self = .swap(index(), index())
        case 19: self = .sort
        case 20: self = .reverse
        case 21: self = isEmbedded || count > 40 ? .dropHalf : .double
        case 22: self = .keepEverySecond
        default: self = Bool.random(using: &generator) ? .removeAll : .dropHalf
        }
    }

    func apply(to list: List<E>) {
        func values(_ made: [Made<E>]) -> [E] { made.map { $0.make() } }
        switch self {
        case .append(let new) where new.count == 1: list.append(new[0].make())
        case .append(let new): list.append(objectsIn: values(new))
        case .insert(let new, let i): list.insert(contentsOf: values(new), at: i)
        case .set(let new, let i): list[i] = new.make()
        case .setOther(let i, let j): list[i] = list[j]
        case .remove(let i): list.remove(at: i)
        case .removeRange(let range): list.removeSubrange(range)
        case .replace(let range, let new): list.replaceSubrange(range, with: values(new))
        case .replaceAll(let new): list.replaceAll(with: values(new))
        case .move(let i, let j): list.move(from: i, to: j)
        case .moveMany(let offsets, let target): list.move(fromOffsets: offsets, toOffset: target)
        case .swap(let i, let j): list.swapAt(i, j)
        case .sort: list.sort { bits($0) < bits($1) }
        case .reverse: list.reverse()
        case .double: list.append(contentsOf: list)
        case .dropHalf: list.removeLast(list.count / 2)
        case .removeAll: list.removeAll()
        case .keepEverySecond:
            var i = 0
            list.removeAll { _ in
                i += 1
                return i % 2 == 0
            }
        }
    }

    func apply(to model: inout [String]) {
        switch self {
        case .append(let new): model += new.map(\.text)
        case .insert(let new, let i): model.insert(contentsOf: new.map(\.text), at: i)
        case .set(let new, let i): model[i] = new.text
        case .setOther(let i, let j): model[i] = model[j]
        case .remove(let i): model.remove(at: i)
        case .removeRange(let range): model.removeSubrange(range)
        case .replace(let range, let new): model.replaceSubrange(range, with: new.map(\.text))
        case .replaceAll(let new): model = new.map(\.text)
        case .move(let i, let j): model.insert(model.remove(at: i), at: j)
        case .moveMany(let offsets, let target):
            let chosen = Set(offsets)
            let moved = chosen.sorted().map { model[$0] }
            let before = (0..<target).filter { !chosen.contains($0) }.map { model[$0] }
            let after = (target..<model.count).filter { !chosen.contains($0) }.map { model[$0] }
            model = before + moved + after
        case .swap(let i, let j): model.swapAt(i, j)
        case .sort: model.sort()
        case .reverse: model.reverse()
        case .double: model += model
        case .dropHalf: model.removeLast(model.count / 2)
        case .removeAll: model = []
        case .keepEverySecond: model = model.indices.filter { $0 % 2 == 0 }.map { model[$0] }
        }
    }
}
