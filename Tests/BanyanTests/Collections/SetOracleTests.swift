import Banyan
import BanyanCore
import Foundation
import Testing

@Suite("Sets against dictionaries")
struct SetOracleTests {
    @Test(
        "A set of any kind does in any state what a set does",
        arguments: ElementKind.allButEmbedded, CollectionState.allCases)
    func likeASet(_ kind: ElementKind, _ state: CollectionState) throws {
        switch kind {
        case .bool: try run(\.bool, Samples.bool, state)
        case .int: try run(\.int, Samples.int, state)
        case .int8: try run(\.int8, Samples.int8, state)
        case .optionalInt: try run(\.optionalInt, Samples.int + [nil], state)
        case .float: try run(\.float, Samples.float, state)
        case .double: try run(\.double, Samples.double, state)
        case .string: try run(\.string, Samples.string, state)
        case .optionalString: try run(\.optionalString, Samples.string + [nil], state)
        case .data: try run(\.data, Samples.data, state)
        case .date: try run(\.date, Samples.date, state)
        case .uuid: try run(\.uuid, Samples.uuid, state)
        case .objectId: try run(\.objectId, Samples.objectId, state)
        case .decimal: try run(\.decimal, Samples.decimal, state)
        case .int16: try run(\.int16, Samples.int16, state)
        case .int32: try run(\.int32, Samples.int32, state)
        case .int64: try run(\.int64, Samples.int64, state)
        case .optionalBool: try run(\.optionalBool, Samples.bool + [nil], state)
        case .optionalInt8: try run(\.optionalInt8, Samples.int8 + [nil], state)
        case .optionalInt16: try run(\.optionalInt16, Samples.int16 + [nil], state)
        case .optionalInt32: try run(\.optionalInt32, Samples.int32 + [nil], state)
        case .optionalInt64: try run(\.optionalInt64, Samples.int64 + [nil], state)
        case .optionalFloat: try run(\.optionalFloat, Samples.float + [nil], state)
        case .optionalDouble: try run(\.optionalDouble, Samples.double + [nil], state)
        case .optionalData: try run(\.optionalData, Samples.data + [nil], state)
        case .optionalDate: try run(\.optionalDate, Samples.date + [nil], state)
        case .optionalUuid: try run(\.optionalUuid, Samples.uuid + [nil], state)
        case .optionalObjectId: try run(\.optionalObjectId, Samples.objectId + [nil], state)
        case .optionalDecimal: try run(\.optionalDecimal, Samples.decimal + [nil], state)
        case .colour: try run(\.colour, Colour.allCases, state)
        case .optionalColour: try run(\.optionalColour, Colour.allCases + [nil], state)
        case .dog:
            try run(\Kennel.dogSet, state) { world, generator in
                let id = Int.random(in: 0..<6, using: &generator)
                return (Made(text: "dog \(id)") { world.dog(id) }, "dog \(id)")
            }
        case .toy: Issue.record("a set holds no embedded objects")
        }
    }

    private func run<E>(_ path: KeyPath<Sets, MutableSet<E>>, _ samples: [E], _ state: CollectionState) throws {
        try run(path, state) { _, generator in
            let value = samples.randomElement(using: &generator)!
            return (Made(text: bits(value)) { value }, identity(value))
        }
    }

    /// The model: what shows, by what it is told apart by. A value that is there already stays as it is.
    private func run<Owner: Object, E: CollectionValue>(
        _ path: KeyPath<Owner, MutableSet<E>>, _ state: CollectionState,
        _ make: (CollectionWorld<Owner>, inout Generator) -> (Made<E>, String)
    ) throws {
        for seed in UInt64(1)...2 {
            var generator = Generator(seed)
            let world = try CollectionWorld<Owner>(state)
            var model: [String: String] = [:]
            try world.run {
                for i in 0..<50 {
                    if i == 25 { try world.adopt() }
                    let chosen = (0..<Int.random(in: 0..<6, using: &generator)).map { _ in make(world, &generator) }
                    let action = Int.random(in: 0..<9, using: &generator)
                    let before = model
                    Self.apply(action, chosen, to: &model)
                    try world.step(
                        from: before.values.sorted(), to: model.values.sorted(),
                        change: { Self.apply(action, chosen.map { $0.0.make() }, to: $0[keyPath: path]) },
                        verify: { check($0[keyPath: path], $1, "seed \(seed), step \(i), action \(action)") })
                }
            }
        }
    }

    private static func apply<E>(_ action: Int, _ values: [E], to set: MutableSet<E>) {
        switch action {
        case 0, 1, 2: for value in values { set.insert(value) }
        case 3: set.insert(objectsIn: values)
        case 4: for value in values { set.remove(value) }
        case 5: set.subtract(values)
        case 6: set.formIntersection(values)
        case 7: set.formSymmetricDifference(values)
        default: set.replaceAll(with: values)
        }
    }

    private static func apply<E>(_ action: Int, _ values: [(Made<E>, String)], to model: inout [String: String]) {
        let new = Dictionary(values.map { ($1, $0.text) }, uniquingKeysWith: { first, _ in first })
        switch action {
        case 0...3: model.merge(new) { present, _ in present }
        case 4, 5: model = model.filter { new[$0.key] == nil }
        case 6: model = model.filter { new[$0.key] != nil }
        case 7:
            let present = model
            model = present.filter { new[$0.key] == nil }.merging(new.filter { present[$0.key] == nil }) { $1 }
        default: model = model.filter { new[$0.key] != nil }.merging(new) { present, _ in present }
        }
    }

    private func check<E>(_ set: MutableSet<E>, _ model: [String], _ step: @autoclosure () -> String) {
        let shown = set.map { bits($0) }
        guard shown.sorted() == model, set.count == model.count else {
            Issue.record("\(step()) shows \(shown) instead of \(model)")
            return
        }
        #expect(set.isEmpty == model.isEmpty)
        #expect(set.indices.map { bits(set[$0]) } == shown)
        #expect(set.map { bits($0) } == shown, "the order is stable")
        #expect(set.first.map { bits($0) } == shown.first)
        #expect(set.last.map { bits($0) } == shown.last)
        for (i, element) in set.enumerated() {
            #expect(set.contains(element))
            #expect(set.index(of: element) == i)
        }
        let copy = MutableSet(set)
        #expect(copy.hasSameElements(as: set) && set.isSubset(of: copy) && set.isSuperset(of: Array(copy)))
        #expect(set.isEmpty ? !copy.intersects(set) : copy.intersects(set))
        if let first = set.first {
            copy.remove(first)
            #expect(copy.isStrictSubset(of: set) && !set.isSubset(of: copy) && set.isStrictSuperset(of: copy))
            #expect(set.subtracting(copy).map { bits($0) } == [bits(first)])
            #expect(set.intersection(copy).count == set.count - 1 && copy.union(set).count == set.count)
            #expect(set.symmetricDifference(copy).count == 1 && !set.isDisjoint(with: [first]))
        }
    }
}
