import Banyan
import BanyanCore
import Foundation
import Testing

@Suite("Maps against dictionaries")
struct MapOracleTests {
    @Test(
        "A map to any kind does in any state what a dictionary does",
        arguments: ElementKind.allCases, CollectionState.allCases)
    func likeADictionary(_ kind: ElementKind, _ state: CollectionState) throws {
        switch kind {
        case .bool: try run(\.bool, Samples.string, Samples.bool, state)
        case .int: try run(\.int, Samples.int, Samples.int, state)
        case .int8: try run(\.int8, Samples.string, Samples.int8, state)
        case .optionalInt: try run(\.optionalInt, Samples.uuid, Samples.int + [nil, nil], state)
        case .float: try run(\.float, Samples.string, Samples.float, state)
        case .double: try run(\.double, Samples.string, Samples.double, state)
        case .string: try run(\.string, Samples.string, Samples.string, state)
        case .optionalString: try run(\.optionalString, Samples.int, Samples.string + [nil, nil], state)
        case .data: try run(\.data, Samples.string, Samples.data, state)
        case .date: try run(\.date, Samples.string, Samples.date, state)
        case .uuid: try run(\.uuid, Samples.uuid, Samples.uuid, state)
        case .objectId: try run(\.objectId, Samples.string, Samples.objectId, state)
        case .decimal: try run(\.decimal, Samples.string, Samples.decimal, state)
        case .int16: try run(\.int16, Samples.string, Samples.int16, state)
        case .int32: try run(\.int32, Samples.string, Samples.int32, state)
        case .int64: try run(\.int64, Samples.string, Samples.int64, state)
        case .optionalBool: try run(\.optionalBool, Samples.string, Samples.bool + [nil, nil], state)
        case .optionalInt8: try run(\.optionalInt8, Samples.string, Samples.int8 + [nil, nil], state)
        case .optionalInt16: try run(\.optionalInt16, Samples.string, Samples.int16 + [nil, nil], state)
        case .optionalInt32: try run(\.optionalInt32, Samples.string, Samples.int32 + [nil, nil], state)
        case .optionalInt64: try run(\.optionalInt64, Samples.string, Samples.int64 + [nil, nil], state)
        case .optionalFloat: try run(\.optionalFloat, Samples.string, Samples.float + [nil, nil], state)
        case .optionalDouble: try run(\.optionalDouble, Samples.string, Samples.double + [nil, nil], state)
        case .optionalData: try run(\.optionalData, Samples.string, Samples.data + [nil, nil], state)
        case .optionalDate: try run(\.optionalDate, Samples.string, Samples.date + [nil, nil], state)
        case .optionalUuid: try run(\.optionalUuid, Samples.string, Samples.uuid + [nil, nil], state)
        case .optionalObjectId: try run(\.optionalObjectId, Samples.string, Samples.objectId + [nil, nil], state)
        case .optionalDecimal: try run(\.optionalDecimal, Samples.string, Samples.decimal + [nil, nil], state)
        case .colour: try run(\.colour, Colour.allCases, Colour.allCases, state)
        case .optionalColour: try run(\.optionalColour, Samples.string, Colour.allCases + [nil], state)
        case .dog:
            try run(\Kennel.dogMap, Samples.string, state) { world, generator in
                let id = Int.random(in: 0..<7, using: &generator)
                return id == 6 ? Made(text: "nil") { nil } : Made(text: "dog \(id)") { world.dog(id) }
            }
        case .toy:
            try run(\Kennel.toyMap, Samples.string, state) { _, generator in
                let name = "\(generator.next())"
                return Made(text: "toy \(name)") { Toy(name) }
            }
        }
    }

    private func run<K, V>(
        _ path: KeyPath<Maps, Map<K, V>>, _ keys: [K], _ samples: [V], _ state: CollectionState
    ) throws {
        try run(path, keys, state) { _, generator in
            let value = samples.randomElement(using: &generator)!
            return Made(text: bits(value)) { value }
        }
    }

    private func run<Owner: Object, K, V>(
        _ path: KeyPath<Owner, Map<K, V>>, _ keys: [K], _ state: CollectionState,
        _ make: (CollectionWorld<Owner>, inout Generator) -> Made<V>
    ) throws {
        for seed in UInt64(1)...2 {
            var generator = Generator(seed)
            let world = try CollectionWorld<Owner>(state)
            var model: [String: String] = [:]
            func lines(_ model: [String: String]) -> [String] { model.map { "\($0.key): \($0.value)" }.sorted() }
            try world.run {
                for i in 0..<50 {
                    if i == 25 { try world.adopt() }
                    let entries = (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
                        (key: keys.randomElement(using: &generator)!, value: make(world, &generator))
                    }
                    let action = Int.random(in: 0..<9, using: &generator)
                    let before = model
                    Self.apply(action, entries, to: &model)
                    try world.step(
                        from: lines(before), to: lines(model),
                        change: { owner in
                            Self.apply(action, entries.map { ($0.key, $0.value.make()) }, to: owner[keyPath: path])
                        },
                        verify: { check($0[keyPath: path], $1, keys, "seed \(seed), step \(i), action \(action)") })
                }
            }
        }
    }

    private static func apply<K, V>(_ action: Int, _ entries: [(key: K, value: V)], to map: Map<K, V>) {
        switch action {
        case 0...2: for (key, value) in entries { map[key] = .some(value) }
        case 3: for (key, value) in entries { map.updateValue(value, forKey: key) }
        case 4: map.merge(entries)
        case 5: for (key, _) in entries { map[key] = nil }
        case 6: map.merge(entries) { present, _ in present }
        case 7: for (key, _) in entries { map.removeValue(forKey: key) }
        default: map.replaceAll(with: entries)
        }
    }

    private static func apply<K, V>(
        _ action: Int, _ entries: [(key: K, value: Made<V>)], to model: inout [String: String]
    ) {
        switch action {
        case 0...4: for (key, value) in entries { model[bits(key)] = value.text }
        case 5, 7: for (key, _) in entries { model[bits(key)] = nil }
        case 6: for (key, value) in entries where model[bits(key)] == nil { model[bits(key)] = value.text }
        default: model = Dictionary(entries.map { (bits($0.key), $0.value.text) }, uniquingKeysWith: { $1 })
        }
    }

    private func check<K, V>(_ map: Map<K, V>, _ model: [String], _ keys: [K], _ step: @autoclosure () -> String) {
        let shown = map.map { "\(bits($0.key)): \(bits($0.value))" }
        guard shown.sorted() == model, map.count == model.count else {
            Issue.record("\(step()) shows \(shown) instead of \(model)")
            return
        }
        #expect(map.isEmpty == model.isEmpty)
        #expect(zip(map.keys, map.values).map { "\(bits($0)): \(bits($1))" } == shown)
        for key in keys {
            let line = model.first { $0.hasPrefix("\(bits(key)): ") }
            #expect(map.contains(key: key) == (line != nil))
            #expect(map[key].map { "\(bits(key)): \(bits($0))" } == line)
        }
    }
}
