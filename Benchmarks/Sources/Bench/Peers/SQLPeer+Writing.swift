import BenchKit
import GRDB

extension SQLPeer {
    private static let setAge = "UPDATE person SET age = ? WHERE id = ?"

    /// Sets the ages of these persons in one transaction.
    func setAges(_ keys: ArraySlice<Int>, round: Int) throws {
        try writer.write { db in
            let statement = try db.cachedStatement(sql: Self.setAge)
            for (i, key) in keys.enumerated() {
                statement.setUncheckedArguments([(i + round) % 100, key])
                try statement.execute()
            }
        }
    }

    /// The same with a transaction for each.
    func setAgesOneByOne(_ keys: ArraySlice<Int>, round: Int) throws {
        for (i, key) in keys.enumerated() { try setAge(key, (i + round) % 100) }
    }

    func setAge(_ key: Int, _ age: Int) throws {
        try writer.write { db in
            let statement = try db.cachedStatement(sql: Self.setAge)
            statement.setUncheckedArguments([age, key])
            try statement.execute()
        }
    }

    /// The same from a task, which waits without blocking a thread.
    static func setAge(_ key: Int, _ age: Int, waitingFor writer: any DatabaseWriter) async throws {
        try await writer.write { db in
            let statement = try db.cachedStatement(sql: setAge)
            statement.setUncheckedArguments([age, key])
            try statement.execute()
        }
    }

    func deletePeople(_ keys: ArraySlice<Int>) throws {
        try writer.write { db in
            let statement = try db.cachedStatement(sql: "DELETE FROM person WHERE id = ?")
            for key in keys {
                statement.setUncheckedArguments([key])
                try statement.execute()
            }
        }
    }

    // MARK: - Lists

    /// Positions in a list stand this far apart, so that there is room between them.
    private static let gap = 1024

    private static let addFriend = "INSERT INTO friendship (personID, position, friendID) VALUES (?, ?, ?)"

    /// Makes these persons the friends of person 0, in this order.
    func appendFriends(_ keys: Range<Int>) throws {
        try writer.write { db in
            let statement = try db.cachedStatement(sql: Self.addFriend)
            for key in keys {
                statement.setUncheckedArguments([0, key * Self.gap, key])
                try statement.execute()
            }
        }
    }

    func removeAllFriends() throws { try writer.write { db in try db.execute(sql: "DELETE FROM friendship") } }

    /// Puts `number` persons between neighbours in the middle of a list of `count`.
    func insertFriends(_ number: Int, inTheMiddleOf count: Int) throws {
        try writer.write { db in
            let statement = try db.cachedStatement(sql: Self.addFriend)
            for i in 0..<number {
                statement.setUncheckedArguments([0, (count / 2 + i) * Self.gap + Self.gap / 2, i])
                try statement.execute()
            }
        }
    }

    func removeFriends(_ number: Int, fromTheMiddleOf count: Int) throws {
        try writer.write { db in
            let statement = try db.cachedStatement(sql: "DELETE FROM friendship WHERE personID = ? AND position = ?")
            for i in 0..<number {
                statement.setUncheckedArguments([0, (count / 2 + i) * Self.gap + Self.gap / 2])
                try statement.execute()
            }
        }
    }

    // MARK: - Files

    /// Writes everything to a new file and flushes it.
    func copy(to path: String) throws {
        let file = try DatabaseQueue(path: path)
        try writer.backup(to: file)
        try file.close()
    }

    /// A database in memory with the contents of a file.
    static func load(_ path: String) throws -> SQLPeer {
        let file = try DatabaseQueue(path: path)
        let memory = try DatabaseQueue()
        try file.backup(to: memory)
        try file.close()
        return try SQLPeer(memory)
    }

    /// Opens a file and reads every property of every object once.
    static func readAll(_ path: String) throws -> Int {
        let file = try DatabaseQueue(path: path)
        defer { keep(file) }
        return try file.read { db in
            var sum = 0
            let dogs = try GRDB.Row.fetchCursor(db, sql: "SELECT id, name, age FROM dog")
            while let row = try dogs.next() {
                sum &+= (row[0] as Int) &+ (row[1] as String).utf8.count &+ (row[2] as Int)
            }
            let people = try GRDB.Row.fetchCursor(
                db, sql: "SELECT id, name, age, score, active, email, dogID FROM person")
            while let row = try people.next() {
                sum &+= (row[0] as Int) &+ (row[1] as String).utf8.count &+ (row[2] as Int) &+ Int(row[3] as Double)
                sum &+= (row[4] as Bool ? 1 : 0) &+ ((row[5] as String?)?.utf8.count ?? 0) &+ ((row[6] as Int?) ?? 0)
            }
            return sum
        }
    }

    func close() throws { try writer.close() }
}
