import BanyanCore
import BanyanPersistence
import Foundation
import Testing

/// Names and values that somebody chose to harm whoever looks at them.
@Suite("Hostile names")
struct HostileNamesTests {
    /// A title for the window, a bell, a colour, the one-byte form of CSI, an override of the direction of writing, a line.
    private static let tricks = "\u{1B}]0;x\u{7}\u{1B}[31m\u{9B}2J\u{202E}\u{2066}\u{61C}\u{2028}\u{7F}"
    private static let type = "T" + tricks
    private static let code = "A: Object {} ; import Glibc\nclass B"

    /// Names that would be code, were they pasted, or that are no names in Swift.
    static let codeSchema = Schema(
        types: [
            TypeSchema(
                name: Self.code,
                properties: [
                    PropertySchema(name: "x = 1; func f() {}", kind: .int, isIndexed: true),
                    PropertySchema(name: "x___1__func_f_____", kind: .int),
                    PropertySchema(name: "class", kind: .string),
                    PropertySchema(name: "self", kind: .string),
                    PropertySchema(name: "1st\"\\(evil)", kind: .bool),
                    PropertySchema(name: "größe", kind: .double),
                    PropertySchema(name: "🐶", kind: .object, isOptional: true, target: "Self"),
                    PropertySchema(
                        name: "back\nlinks", kind: .object, shape: .inverse(of: "to*/"), target: "Self"),
                ], indexes: [CompoundIndex(["1st\"\\(evil)", "class"])]),
            TypeSchema(
                name: "Self",
                properties: [
                    PropertySchema(name: "to*/", kind: .object, shape: .list, target: Self.code)
                ]),
        ])

    private static let schema = Schema(
        types: [
            TypeSchema(
                name: type,
                properties: [
                    PropertySchema(name: "key" + tricks, kind: .string, isPrimaryKey: true),
                    PropertySchema(name: "friend", kind: .object, isOptional: true, target: type),
                    PropertySchema(name: "text", kind: .string),
                    PropertySchema(name: "map" + tricks, kind: .string, shape: .map(key: .string)),
                    PropertySchema(
                        name: "friends" + tricks, kind: .object, shape: .inverse(of: "friend"), target: type),
                ])
        ])

    private func make(_ path: String) throws {
        let store = try SampleStore(path, schema: Self.schema)
        let metadata = CommitMetadata(author: Self.tricks, reason: Self.tricks, requestID: Self.tricks)
        try store.commit(metadata) { transaction in
            let object = try transaction.create(0, key: .string("k" + Self.tricks))
            transaction.setValue(object, 1, .object(object.ref))
            transaction.setValue(object, 2, .string(Self.tricks))
            transaction.mapSet(object, 3, key: .string("e" + Self.tricks), .string(Self.tricks))
        }
        try store.checkpoint()
        try store.close()
    }

    /// What a terminal would obey, or hide.
    private func harm(_ text: String, lines: Bool = true) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { scalar in
            if scalar == "\n" { return false }
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return true
            default: return false
            }
        }
    }

    @Test(
        "No command prints them as they are, neither as text nor as JSON, nor in what it says of mistakes",
        arguments: [
            ["info"], ["info", "--json"], ["ls"], ["ls", "--json"], ["schema"], ["schema", "--swift"], ["log"],
            ["log", "--changes"], ["log", "--changes", "--json"], ["get", "0:0.0"], ["get", "0:0.0", "--json"],
            ["get", type, "k" + tricks], ["get", type, "nobody"], ["query", type], ["query", type, "--json"],
            ["query", type, "--explain"], ["query", type, "text == \"\(tricks)\"", "--explain", "--json"],
            ["query", type, "nope == 1"], ["query", type, "--columns", "nope"], ["query", "nope" + tricks],
            ["query", type, "--columns", "key\(tricks),friend.text,map\(tricks)"], ["export"], ["verify"],
            ["verify", "--json"], ["restore", "--dry-run", "--to", "nowhere" + tricks], ["schema", "nope"],
            ["export", "nope" + tricks],
        ])
    func shown(arguments: [String]) throws {
        try TemporaryDirectory.with { directory in
            // The path is the user's own; but a store found somewhere may lie in a directory of any name.
            let path = directory + "/app\u{1B}[31m"
            try make(path)
            let answer = try Tool.run([arguments[0], path] + arguments.dropFirst(), in: directory)
            #expect(!(answer.output + answer.messages).isEmpty)
            #expect(harm(answer.output) == [], "\(answer.output.debugDescription)")
            #expect(harm(answer.messages) == [], "\(answer.messages.debugDescription)")
        }
    }

    @Test("JSON says what is there all the same")
    func json() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try make(path)
            let types = try #require(try Tool.run("ls", path, "--json").json()["types"] as? [[String: Any]])
            #expect(types.first?["name"] as? String == Self.type)
            let object = try Tool.run("get", path, "0:0.0", "--json").json()
            let values = try #require(object["values"] as? [String: Any])
            #expect(values["text"] as? String == Self.tricks)
            #expect(values["map" + Self.tricks] as? [String: String] == ["e" + Self.tricks: Self.tricks])
        }
    }

    @Test("As Swift, names are names and never code; what cannot be a name gets one, and says what files call it")
    func swift() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore(path, schema: Self.codeSchema).commitNothing()
            let text = try Tool.run("schema", path, "--swift").output
            #expect(
                text == #"""
                    import Banyan
                    import Foundation

                    // Files call this type "A: Object {} ; import Glibc\nclass B", and a class cannot be called that:
                    // a store that has it does not open with this model.
                    @Model(indexes: [["_1st___evil_", "class"]]) class A__Object______import_Glibc_class_B: Object {
                        @Persisted(indexed: true, name: "x = 1; func f() {}") var x___1__func_f______2: Int = 0
                        @Persisted var x___1__func_f_____: Int = 0
                        @Persisted var `class`: String = ""
                        @Persisted(name: "self") var self_: String = ""
                        @Persisted(name: "1st\"\\(evil)") var _1st___evil_: Bool = false
                        @Persisted var größe: Double = 0
                        @Persisted var 🐶: `Self`?
                        @Persisted(originProperty: "to__") var back_links: LinkingObjects<`Self`>
                    }

                    @Model class `Self`: Object {
                        @Persisted(name: "to*/") var to__: List<A__Object______import_Glibc_class_B>
                    }

                    """#)
        }
    }
}

extension SampleStore {
    /// A commit of one object of the first type, so that files have the schema; and the end.
    fileprivate func commitNothing() throws {
        try commit { _ = $0.create(0) }
        try close()
    }
}
