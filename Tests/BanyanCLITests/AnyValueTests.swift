import Foundation
import Testing

@Suite("AnyValues on the command line")
struct AnyValueTests {
    private static let nested =
        #"{"$dictionary":{"$dog":{"$object":{"type":"Dog","key":"Rex"}},"#
        + #""channels":["left","right",[1,{"$object":{"type":"Dog","key":"Rex"}}]],"volume":[11]}}"#

    /// The values of an export, by the key of their object.
    private func export(_ path: String, _ options: String...) throws -> [String: String] {
        var result: [String: String] = [:]
        for line in try Tool.run(["export", path, "Setting"] + options).lines {
            guard let start = line.range(of: #""values":{"name":""#)?.upperBound,
                let end = line[start...].firstIndex(of: "\"")
            else { continue }
            result[String(line[start..<end])] = String(line)
        }
        return result
    }

    @Test("Every kind is told exactly, in an object and in an export")
    func kinds() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try AnySample.make(path)
            let exported = try export(path)
            for (name, _, json) in AnySample.scalars {
                #expect(exported[name]?.contains(#""value":\#(json),"history":[]"#) == true, "\(name)")
                let object = try Tool.run("get", path, "Setting", name, "--json").json()
                let values = try #require(object["values"] as? [String: Any])
                let expected = try JSONSerialization.jsonObject(with: Data("[\(json)]".utf8)) as? NSArray
                #expect([try #require(values["value"])] as NSArray == expected, "\(name)")
            }
        }
    }

    @Test("Lists and dictionaries stand inside their object", arguments: [[], [2, 3, 4]] as [Set<Int>])
    func nested(_ checkpoints: Set<Int>) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try AnySample.make(path, checkpoints: checkpoints)
            let line = try #require(export(path, "--at", "3")["nested"])
            #expect(line.contains(#""value":\#(Self.nested),"history":[null,{"a":{}}],"notes":{"n":[false]}"#))
            #expect(line.contains(#""part":{"value":[7]}"#))
            let text = try Tool.run("get", path, "Setting", "nested", "--at", "3").output
            #expect(text.contains(#"{"$dog": Dog Rex, "channels": ["left", "right", [1, Dog Rex]], "volume": [11]}"#))
            let queried = try Tool.run("query", path, "Setting", "name == 'nested'", "--at", "3", "--json").output
            #expect(queried.contains(Self.nested))
            let dog = try Tool.run("get", path, "Dog", "Rex", "--json", "--at", "3").json()
            let inverses = try #require(dog["inverses"] as? [String: [[String: String]]])
            #expect(inverses["settings"] == [["type": "Setting", "key": "nested"]])
        }
    }

    @Test("The type in which they are stored is nowhere to be seen")
    func hidden() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try AnySample.make(path, checkpoints: [3])
            let snapshot = try Damage.newest(path, ".bsn")
            let objects = AnySample.scalars.count + 3
            for arguments in [
                ["info", path], ["info", path, "--json"], ["info", snapshot, "--json"], ["ls", path, "--types"],
                ["ls", path, "--types", "--json"], ["ls", snapshot], ["schema", path], ["schema", path, "--swift"],
                ["export", path], ["log", path], ["log", path, "--json"], ["log", path, "--changes"],
                ["log", path, "--changes", "--json"], ["verify", path, "--json"], ["query", path, "Dog", "--json"],
                ["get", path, "Setting", "nested"],
            ] {
                let answer = try Tool.run(arguments)
                #expect(answer.status == 0, "\(arguments)")
                #expect(!answer.output.contains("$nested"), "\(arguments)")
            }
            #expect(try Tool.run("info", snapshot, "--json").json()["objects"] as? Int == objects)
            #expect(try Tool.run("verify", path, "--json").json()["objects"] as? Int == objects)
            for arguments in [
                ["query", path, "$nested"], ["schema", path, "$nested"], ["export", path, "$nested"],
                ["get", path, "3:0.0", "--at", "3"],
            ] { #expect(try Tool.run(arguments).status != 0, "\(arguments)") }
        }
    }

    @Test("The log counts a change inside for the object that holds it", arguments: [[], [2, 3]] as [Set<Int>])
    func log(_ checkpoints: Set<Int>) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try AnySample.make(path, checkpoints: checkpoints)
            let lines = try Tool.run("log", path, "--from", "2").lines
            let told = lines.map { $0.split(separator: "Z").last?.trimmingCharacters(in: .whitespaces) }
            // With checkpoints the journal goes back to the third, which tells nothing of who holds what it changes.
            let all = ["Setting +1, Part +1", "Setting ~1", "Setting ~1, Part ~1"]
            #expect(told == Array(all.suffix(checkpoints.isEmpty ? 3 : 2)))
        }
    }

    @Test("Its changes are those of the property, with all that came and went", arguments: ["1", "3", "4"])
    func changes(_ first: String) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try AnySample.make(path)
            let commits = try Tool.run("log", path, "--from", first, "--changes", "--json").lines.map(String.init)
            if first != "4" {
                let third = commits[commits.count - 2]
                #expect(third.contains(#""type":"Setting","id":"0:13.0","properties":{"value":{"nested":["#))
                #expect(third.contains(#"{"edits":[{"keep":1},{"insert":["right"]}]}"#))
                #expect(third.contains(#""changed":{"volume":{"old":0.5,"new":[11]}}"#))
            }
            let fourth = commits[commits.count - 1]
            // A journal knows where an object stands, and not what key it has.
            let old = Self.nested.replacingOccurrences(of: #""key":"Rex""#, with: #""slot":0"#)
            #expect(fourth.contains(#""value":{"old":\#(old),"new":5}"#))
            #expect(fourth.contains(#""history":{"edits":[{"insert":[1]}]}"#))
            #expect(
                fourth.contains(
                    #""type":"Part","id":"2:0.0","properties":{"value":{"nested":[{"edits":[{"remove":[7]}]}]}}"#))
            let text = try Tool.run("log", path, "--from", first, "--changes").output
            #expect(text.contains("value: (- [7])"))
            #expect(text.contains("→ 5"))
            if first == "1" {
                #expect(text.contains("history: + [nil, {a: {}}]"))
                #expect(text.contains("value: [7]"))
            }
        }
    }
}
