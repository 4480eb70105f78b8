package import BanyanCore

/// What the killed child writes: transfers between accounts, each of which touches many objects at once and says so in
/// several places, so that whatever of it is missing shows.
///
/// Commit 1 makes the accounts. Commit *s* after it is transfer *s*: a new object with a receipt of its own and a
/// checksum, two balances, a writer's count and list, and the summary, which holds a hash over all transfers so far.
package enum Ledger {
    private static let account = 0, transfer = 1, writer = 2, summary = 3, receipt = 4

    package static let accounts = 16
    package static let writers = 8
    /// Older transfers are deleted.
    private static let kept = 200

    package static let schema = Schema(
        types: [
            TypeSchema(
                name: "Account",
                properties: [key, int("balance"), PropertySchema(name: "recent", kind: .int, shape: .list)]),
            TypeSchema(
                name: "Transfer",
                properties: [
                    key, int("writer"), int("count"), int("amount"), link("from", "Account"), link("to", "Account"),
                    PropertySchema(name: "receipt", kind: .embedded, isOptional: true, target: "Receipt"),
                    int("chain"), PropertySchema(name: "label", kind: .string, isIndexed: true),
                ]),
            TypeSchema(
                name: "Writer",
                properties: [
                    key, int("count"),
                    PropertySchema(name: "transfers", kind: .object, shape: .list, target: "Transfer"),
                ]),
            TypeSchema(name: "Summary", properties: [key, int("count"), int("chain")]),
            TypeSchema(
                name: "Receipt", isEmbedded: true, properties: [PropertySchema(name: "text", kind: .string)]),
        ])

    private static let key = PropertySchema(name: "id", kind: .int, isPrimaryKey: true)
    private static func int(_ name: String) -> PropertySchema { PropertySchema(name: name, kind: .int) }
    private static func link(_ name: String, _ target: String) -> PropertySchema {
        PropertySchema(name: name, kind: .object, isOptional: true, target: target)
    }

    // MARK: Writing

    /// Commit 1.
    package static func found(_ transaction: Transaction) throws(BanyanError) {
        for id in 0..<accounts { _ = try transaction.create(account, key: .int(Int64(id))) }
        for id in 0..<writers { _ = try transaction.create(writer, key: .int(Int64(id))) }
        _ = try transaction.create(summary, key: .int(0))
    }

    /// The commit with this sequence, by one of the writers; returns how many it has made.
    package static func transfer(
        _ transaction: Transaction, _ sequence: UInt64, writer number: Int, _ random: inout some RandomNumberGenerator
    ) throws(BanyanError) -> Int {
        let view = { transaction.view }
        let amount = Int64.random(in: 1...1000, using: &random)
        let from = try find(view(), account, Int64.random(in: 0..<Int64(accounts), using: &random))
        let to = try find(view(), account, Int64.random(in: 0..<Int64(accounts), using: &random))
        let by = try find(view(), writer, Int64(number))
        let total = try find(view(), summary, 0)
        let count = integer(view(), by, 1) + 1
        let chain = hash(integer(view(), total, 2), Int64(sequence), Int64(number), count, amount)

        let new = try transaction.create(transfer, key: .int(Int64(sequence)))
        transaction.initializeIndex(new, 8)
        transaction.setValue(new, 1, .int(Int64(number)))
        transaction.setValue(new, 2, .int(count))
        transaction.setValue(new, 3, .int(amount))
        transaction.setValue(new, 4, .object(from.ref))
        transaction.setValue(new, 5, .object(to.ref))
        let paper = transaction.create(receipt)
        transaction.setValue(paper, 0, .string(text(chain)))
        transaction.setValue(new, 6, .object(paper.ref))
        transaction.setValue(new, 7, .int(chain))
        transaction.setValue(new, 8, .string("label \(chain & 7)"))

        transaction.setValue(from, 1, .int(integer(view(), from, 1) - amount))
        transaction.setValue(to, 1, .int(integer(view(), to, 1) + amount))
        for party in [from, to] {
            let recent = CollectionRef(party.ref, 2)
            transaction.listInsert(party, 2, at: view().elementCount(recent), [.int(Int64(sequence))])
            if view().elementCount(recent) > 20 { transaction.listRemove(party, 2, 0..<1) }
        }
        transaction.setValue(by, 1, .int(count))
        transaction.listInsert(by, 2, at: 0, [.object(new.ref)])
        transaction.setValue(total, 1, .int(Int64(sequence) - 1))
        transaction.setValue(total, 2, .int(chain))
        if let old = view().find(transfer, key: .int(Int64(sequence) - Int64(kept))) { transaction.delete(old) }
        if let fault = transaction.fault { throw fault }
        return Int(count)
    }

    private static func find(_ view: GraphView, _ table: Int, _ key: Int64) throws(BanyanError) -> ObjectID {
        guard let id = view.find(table, key: .int(key)) else {
            throw BanyanError(.damaged, "\(schema.types[table].name) \(key) is not there")
        }
        return id
    }

    private static func integer(_ view: GraphView, _ id: ObjectID, _ column: Int) -> Int64 {
        Int64(bitPattern: view.cell(id.ref, column).low)
    }

    private static func hash(_ values: Int64...) -> Int64 {
        values.reduce(0x51_7C_C1) {
            ($0 ^ $1) &* 0x0000_0100_0000_01B3 ^ Int64(bitPattern: UInt64(bitPattern: $0) >> 29)
        }
    }

    /// From nothing to some kilobytes, so that records are of all sizes.
    private static func text(_ chain: Int64) -> String {
        String(repeating: "\(chain) ", count: Int(chain & 15) == 0 ? 300 : Int(chain & 7))
    }

    // MARK: Checking

    /// What the ledger says of itself.
    package struct Balance: Sendable {
        /// By writer: the commits it has made.
        package var counts: [Int]
        /// By sequence, as far as they are kept: whose commit it was, and which of its own.
        package var transfers: [UInt64: (writer: Int, count: Int)]
    }

    /// Everything that is wrong with the ledger as it is after a commit.
    package static func check(_ view: GraphView, _ sequence: UInt64) -> (balance: Balance, problems: [String]) {
        var problems = view._invariantCheck()
        var balance = Balance(counts: Array(repeating: 0, count: writers), transfers: [:])
        func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
            if !condition { problems.append(problem()) }
        }
        guard sequence > 0 else {
            for table in schema.types.indices {
                expect(view.count(table) == 0, "there are objects before the first commit")
            }
            return (balance, problems)
        }
        var sum: Int64 = 0
        view.forEachObject(account) { _, _, slot in
            sum += integer(view, view.id(ObjectRef(table: account, slot: slot)), 1)
            return true
        }
        expect(sum == 0, "the balances add up to \(sum)")
        expect(view.count(account) == accounts, "there are \(view.count(account)) accounts")
        view.forEachObject(writer) { _, _, slot in
            let id = view.id(ObjectRef(table: writer, slot: slot))
            balance.counts[Int(integer(view, id, 0))] = Int(integer(view, id, 1))
            return true
        }
        expect(balance.counts.reduce(0, +) == Int(sequence) - 1, "the writers count \(balance.counts)")
        let last = Int64(sequence)
        var chain = Int64?.none
        for number in max(2, last - Int64(kept) + 1)...max(2, last) where number <= last {
            guard let id = view.find(transfer, key: .int(number)) else {
                problems.append("transfer \(number) is not there")
                continue
            }
            let (by, count, amount) = (integer(view, id, 1), integer(view, id, 2), integer(view, id, 3))
            balance.transfers[UInt64(number)] = (Int(by), Int(count))
            if let before = chain {
                expect(
                    integer(view, id, 7) == hash(before, number, by, count, amount),
                    "transfer \(number) is not what it was")
            }
            chain = integer(view, id, 7)
            expect(!view.cell(id.ref, 4).isNull && !view.cell(id.ref, 5).isNull, "transfer \(number) has lost a party")
            let paper = view.cell(id.ref, 6)
            let isWhole = ObjectRef(word: paper.isNull ? 0 : paper.low).map {
                view.value($0, 0) == .string(text(chain ?? 0))
            }
            expect(isWhole ?? false, "transfer \(number) has not its receipt")
            expect(
                view.value(id.ref, 8) == .string("label \((chain ?? 0) & 7)"), "transfer \(number) has another label")
        }
        expect(view.count(transfer) == balance.transfers.count, "there are \(view.count(transfer)) transfers")
        if let total = view.find(summary, key: .int(0)) {
            expect(integer(view, total, 1) == last - 1, "the summary counts \(integer(view, total, 1))")
            expect(chain == nil || integer(view, total, 2) == chain, "the summary's hash is another")
        } else {
            problems.append("there is no summary")
        }
        return (balance, problems)
    }
}
