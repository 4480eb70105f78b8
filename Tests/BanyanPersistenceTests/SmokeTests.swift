import BanyanCore
import BanyanPersistence
import Foundation
import Testing

@Test func aStoreComesBack() async throws {
    let path = NSTemporaryDirectory() + "banyan-smoke-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let schema = Array("schema".utf8)
    for round in 0..<3 {
        let files = try StoreFiles.open(
            at: path, on: KernelDisk(), options: .init(), mode: .readWrite(createIfMissing: true), schema: schema)
        var seen: [UInt64] = []
        let report = try files.replay { record, _ in seen.append(record.sequence) }
        print(report)
        #expect(seen.last ?? files.snapshot?.header.sequence ?? 0 == UInt64(round * 10))
        for i in 1...10 {
            let s = UInt64(round * 10 + i)
            files.append(Array("hello \(s)".utf8), sequence: s, time: Int64(s))
            if i % 2 == 0 { try syncFlush(files, s) } else { try await files.flush(through: s) }
        }
        #expect(files.durableSequence == UInt64(round * 10 + 10))
        let info = try files.checkpoint(sequence: UInt64(round * 10 + 5), time: 5, schema: schema) { writer in
            for i in 0..<10 { try writer.append(kind: 1, table: UInt32(i), rows: 1, payload: Array(repeating: UInt8(i), count: 100_000)) }
        }
        print(info, files.counters)
        if round < 2 { try files.close() }
    }
}
func syncFlush(_ files: StoreFiles, _ sequence: UInt64) throws { try files.flush(through: sequence) }
