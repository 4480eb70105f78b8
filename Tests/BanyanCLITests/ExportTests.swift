import BanyanCore
import BanyanPersistence
import Foundation
import Testing

@Suite("banyan export")
struct ExportTests {
    @Test("An export of all types, read again, gives the same graph", arguments: [6, 33])
    func readAgain(commits: Int) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            var expected: [String] = []
            try SampleStore.make(
                path, commits: commits, checkpoints: [4],
                afterEach: { store in
                    expected = GraphText(store.version.view).lines
                })
            let answer = try Tool.run("export", path)
            #expect(answer.status == 0)
            #expect(answer.messages == "")
            let importer = try Importer(SampleStore.schema, try answer.jsonLines())
            let graph = try importer.makeGraph()
            let text = GraphText(graph.view) { importer.idOf[$0] ?? "?" }
            #expect(text.lines == expected)
            #expect(!expected.isEmpty)
        }
    }

    @Test("One type, bare, is one object a line in a fixed form")
    func golden() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 4)
            let answer = try Tool.run("export", path, "Club", "Dog", "--bare")
            #expect(
                answer.output == """
                    {"type":"Dog","id":"1:0.0","values":{"name":"Rex 1"}}
                    {"type":"Dog","id":"1:1.0","values":{"name":"Rex 2"}}
                    {"type":"Dog","id":"1:2.0","values":{"name":"Rex 3"}}
                    {"type":"Club","id":"2:0.0","values":{"title":"Club 4","members":[{"type":"Person","key":1},\
                    {"type":"Person","key":2},{"type":"Person","key":3}]}}

                    """)
        }
    }

    @Test("At an earlier commit it gives what was there then")
    func earlier() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 4)
            #expect(try Tool.run("export", path, "Dog", "--bare", "--at", "2").lines.count == 2)
            #expect(try Tool.run("export", path, "Dog", "--bare", "--at", "2026-03-01T12:00:03.5Z").lines.count == 3)
        }
    }

    @Test("A snapshot alone exports like the store it is of")
    func snapshot() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 6, checkpoints: [6])
            let snapshot = try Damage.oldest(path, ".bsn")
            #expect(try Tool.run("export", snapshot).output == Tool.run("export", path).output)
        }
    }

    @Test("A reader that leaves early ends it without a complaint")
    func readerLeaves() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try ManyObjects.make(path, 3000)
            let line = "{ banyan export app; echo $? > status; } | head -c 10 > head"
            let answer = try Shell.run(line, in: directory)
            #expect(answer.messages == "")
            #expect(try String(contentsOfFile: directory + "/head", encoding: .utf8) == "{\"banyan\":")
            #expect(try String(contentsOfFile: directory + "/status", encoding: .utf8) == "0\n")
        }
    }
}
