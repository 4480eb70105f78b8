import Banyan
import Foundation
import Testing

@Model class Doll: EmbeddedObject, Codable {
    @Persisted var number = 0
    @Persisted var inner: Doll?
    @Persisted var dolls: List<Doll>
    @Persisted var byName: Map<String, Doll?>
}

@Model class Cabinet: Object, Codable {
    @Persisted var number = 0
    @Persisted var doll: Doll?
    @Persisted var next: Cabinet?
    @Persisted var others: List<Cabinet>
    @Persisted var any: AnyValue
    @Persisted var anys: List<AnyValue>
}

/// Each runs in a process of its own: too little stack ends it.
@Suite("Values within values, however deep")
struct DepthTests {
    static func graph() throws -> Graph { Graph(try Store(.init(models: [Cabinet.self]))) }

    /// Dictionaries within each other, the innermost last.
    static func dictionaries(_ count: Int, _ name: String) -> Any {
        var value: Any = ["number": 0] as [String: Any]
        for number in 1..<count { value = ["number": number, name: value] as [String: Any] }
        return value
    }

    static func arrays(_ count: Int) -> Any {
        var value: Any = [Any]()
        for _ in 1..<count { value = [value] }
        return value
    }

    static func dolls(_ count: Int) -> Doll {
        var doll = Doll()
        for number in 1..<count {
            let outer = Doll()
            outer.number = number
            switch number % 3 {
            case 0: outer.inner = doll
            case 1: outer.dolls.append(doll)
            default: outer.byName["next"] = doll
            }
            doll = outer
        }
        return doll
    }

    static func cabinets(_ count: Int) -> Cabinet {
        var cabinet = Cabinet()
        for number in 1..<count {
            let outer = Cabinet()
            outer.number = number
            if number % 2 == 0 { outer.next = cabinet } else { outer.others.append(cabinet) }
            cabinet = outer
        }
        return cabinet
    }

    @Test("Nested dictionaries make objects that embed, or link to, each other")
    func create() async {
        await #expect(processExitsWith: .success) {
            let graph = try DepthTests.graph()
            let depth = 5_000
            let links = DepthTests.dictionaries(depth, "next")
            let made = try graph.write { try graph.create(Cabinet.self, value: links) }
            #expect(graph.objects(Cabinet.self).count == depth && made.next?.next?.number == depth - 3)
            let dolls: [String: Any] = ["doll": DepthTests.dictionaries(depth, "inner")]
            let holder = try graph.write { try graph.create(Cabinet.self, value: dolls) }
            #expect(holder.doll?.inner?.number == depth - 2)
            let unmanaged = [try Cabinet(value: links), try Cabinet(value: dolls)]
            #expect(unmanaged[0].next?.number == depth - 2 && unmanaged[1].doll?.number == depth - 1)
            try graph.write {
                try graph.create(Cabinet.self, value: ["next": ["number": 1], "doll": nil] as [String: Any?])
            }
            // As deep as any of it: a value that does not fit is found before anything is made.
            var wrong: Any = ["number": "none"]
            for _ in 0..<depth { wrong = ["next": wrong] }
            let count = graph.objects(Cabinet.self).count
            let fault = graph.fault { try $0.create(Cabinet.self, value: wrong) }
            #expect(fault?.code == .invalidValue && graph.objects(Cabinet.self).count == count)
            #expect(fault.map { $0.message.count < 1_000 && $0.message.contains("next.number") } == true)
        }
    }

    @Test("Nested arrays make objects; where an AnyValue takes them, there is a limit")
    func arrays() async {
        await #expect(processExitsWith: .success) {
            let graph = try DepthTests.graph()
            let value = DepthTests.arrays(10_000)
            for body in [
                { try graph.create(Cabinet.self, value: ["any": value]) },
                { try graph.create(Cabinet.self, value: ["anys": [value]]) },
                { try Cabinet(value: ["any": value]) },
            ] as [() throws -> Cabinet] {
                #expect(graph.fault { _ in _ = try body() }?.code == .limit)
            }
            for name in ["others", "anys"] {
                let cabinet = Cabinet()
                cabinet[name] = [value]
                cabinet[name] = [DepthTests.dictionaries(5_000, "next")]
                // As `create` does: the dictionaries are objects, and more than an AnyValue takes.
                #expect(cabinet.others.count == (name == "others" ? 1 : 0) && cabinet.anys.isEmpty)
            }
            for name in ["number", "doll", "next"] {
                #expect(graph.fault { try $0.create(Cabinet.self, value: [name: value]) }?.code == .invalidValue)
                let cabinet = Cabinet()
                cabinet[name] = value
                #expect(cabinet.number == 0 && cabinet.doll == nil && cabinet.next == nil)
            }
            // Elements in declared order: the first of a doll is its number, so these are lists of lists.
            var lists: Any = [0, nil, [Any]()] as [Any?]
            for number in 1..<3_000 { lists = [number, nil, [lists]] as [Any?] }
            let cabinet = try graph.write { try graph.create(Cabinet.self, value: ["doll": lists]) }
            #expect(cabinet.doll?.dolls.first?.dolls.first?.number == 2_997)
        }
    }

    @Test("Copies and detached values of deep objects")
    func detached() async {
        await #expect(processExitsWith: .success) {
            let graph = try DepthTests.graph()
            let cabinet = DepthTests.cabinets(10_000)
            cabinet.doll = DepthTests.dolls(10_000)
            #expect(cabinet.unmanagedCopy().doll?.number == 9_999)
            for managed in [false, true] {
                if managed { try graph.write { try graph.add(cabinet) } }
                let value = cabinet.detached(depth: .max)
                var (levels, next) = (0, value.doll)
                while let doll = next {
                    (levels, next) = (levels + 1, doll.inner ?? doll.dolls.first ?? doll.byName["next"] ?? nil)
                }
                #expect(levels == 100)
                #expect(value.number == 9_999 && value == cabinet.detached(depth: .max))
                #expect(value.hashValue == cabinet.detached(depth: .max).hashValue)
                #expect(try JSONEncoder().encode(value).count > 1_000)
            }
            // What could not be held is told of where something can be told.
            #expect(graph.fault { _ in _ = cabinet.detached() }?.code == .limit)
        }
    }

    @Test("A detached value of objects that link in circles ends, as deep as it is asked to go")
    func circles() async {
        await #expect(processExitsWith: .success) {
            let graph = try DepthTests.graph()
            let cabinets = (0..<6).map { _ in Cabinet() }
            for (i, cabinet) in cabinets.enumerated() {
                cabinet.number = i
                cabinet.next = cabinets[(i + 1) % 6]
                cabinet.others.append(objectsIn: [cabinets[0], cabinets[(i + 1) % 6]])
            }
            try graph.write { try graph.add(cabinets[0]) }
            let value = cabinets[0].detached(depth: .max)
            #expect(value.next?.value?.next?.value?.number == 2)
            let again = value.next?.value?.others.first?.value
            #expect(again?.number == 0 && again?.next?.value == nil && again?.next?.objectID == cabinets[1].objectID)
            #expect(cabinets[0].detached(depth: 8).next?.value?.others.first?.value?.number == 0)
        }
    }

    @Test("Unmanaged AnyValues nested without end, or in themselves, are printed, compared, copied and let go")
    func anyValues() async {
        await #expect(processExitsWith: .success) {
            let graph = try DepthTests.graph()
            var value = AnyValue.list([])
            for i in 0..<100_000 { value = i % 2 == 0 ? ["k": value] : [value] }
            #expect("\(value)".contains("…") && String(reflecting: value).count < 2_000)
            let (a, b) = (List<AnyValue>([value]), MutableSet<AnyValue>([value]))
            #expect("\(a)".contains("…") && "\(b)".contains("…") && a.contains(value) && b.contains(value))
            #expect(value == value && value.hashValue == value.hashValue)
            let cabinet = Cabinet()
            cabinet.any = value
            cabinet.anys.append(value)
            _ = cabinet.detached()
            #expect(throws: EncodingError.self) { try JSONEncoder().encode(cabinet) }
            #expect(cabinet.unmanagedCopy().any == value)
            #expect(graph.fault { try $0.add(cabinet) }?.code == .limit)
            let circle = List<AnyValue>()
            circle.append(.list(circle))
            #expect("\(circle)".contains("…"))
            let knot = Cabinet()
            knot.any = .list(circle)
            #expect(graph.fault { try $0.add(knot) }?.code == .limit)
            _ = knot.detached()
            circle.removeAll()
        }
    }

    @Test("Chains of unmanaged objects through AnyValues are let go without recursion")
    func lettingGo() async {
        await #expect(processExitsWith: .success) {
            weak var last: Cabinet?
            do {
                var cabinet = Cabinet()
                last = cabinet
                for i in 0..<100_000 {
                    let outer = Cabinet()
                    switch i % 4 {
                    case 0: outer.any = .object(cabinet)
                    case 1: outer.any = [1, [.object(cabinet)]]
                    case 2: outer.anys.append(["a": .object(cabinet)])
                    default: outer.anys.append(.object(cabinet))
                    }
                    cabinet = outer
                }
                #expect(last != nil)
            }
            #expect(last == nil)
            let list = List<AnyValue>([.object(DepthTests.cabinets(100_000))])
            list.removeAll()
        }
    }

    @Test("Decoding and encoding objects nested too deep is an error of the coder's kind")
    func coding() async {
        await #expect(processExitsWith: .success) {
            func json(_ levels: Int, _ name: String) -> Data {
                Data(
                    (String(repeating: "{\"\(name)\":", count: levels) + "null" + String(repeating: "}", count: levels))
                        .utf8)
            }
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Cabinet.self, from: json(400, "next")) }
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Cabinet.self, from: json(400, "any")) }
            #expect(throws: (any Error).self) { try JSONDecoder().decode(Cabinet.self, from: json(50_000, "next")) }
            let cabinet = try JSONDecoder().decode(Cabinet.self, from: json(250, "next"))
            #expect(try JSONEncoder().encode(cabinet).count > 1_000)
            #expect(throws: EncodingError.self) { try JSONEncoder().encode(DepthTests.cabinets(1_000)) }
        }
    }

    @Test("A deep object goes with its owner; links that lead on are printed by name")
    func deletion() async {
        await #expect(processExitsWith: .success) {
            let graph = try DepthTests.graph()
            let cabinet = DepthTests.cabinets(10_000)
            cabinet.doll = DepthTests.dolls(20_000)
            try graph.write { try graph.add(cabinet) }
            let doll = try #require(cabinet.doll?.inner ?? cabinet.doll?.dolls.first)
            let dynamic = try #require(try graph.dynamicObjects("Cabinet").first)
            #expect(dynamic.description.count < 500)
            try graph.write { graph.delete(cabinet) }
            #expect(doll.isInvalidated)
        }
    }
}
