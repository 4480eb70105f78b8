import GRDB

extension SQLPeer {
    /// The sum of the ages of the persons with these keys.
    func sumOfAges(_ keys: ArraySlice<Int>) throws -> Int {
        try writer.read { db in
            let statement = try db.cachedStatement(sql: "SELECT age FROM person WHERE id = ?")
            var sum = 0
            for key in keys { sum &+= try Int.fetchOne(statement, arguments: [key]) ?? 0 }
            return sum
        }
    }

    /// The same, with a read block for each key.
    func sumOfAgesOneByOne(_ keys: ArraySlice<Int>) throws -> Int {
        var sum = 0
        for key in keys {
            sum &+= try writer.read { db in
                let statement = try db.cachedStatement(sql: "SELECT age FROM person WHERE id = ?")
                return try Int.fetchOne(statement, arguments: [key]) ?? 0
            }
        }
        return sum
    }

    /// Goes through a column of integers, in the order of the table.
    func sumOfColumn(_ sql: String) throws -> Int {
        try writer.read { db in
            var sum = 0
            let cursor = try Int.fetchCursor(try db.cachedStatement(sql: sql))
            while let value = try cursor.next() { sum &+= value }
            return sum
        }
    }

    /// Goes through a column of texts, making a String of each.
    func lengthOfColumn(_ sql: String) throws -> Int {
        try writer.read { db in
            var sum = 0
            let cursor = try String.fetchCursor(try db.cachedStatement(sql: sql))
            while let value = try cursor.next() { sum &+= value.utf8.count }
            return sum
        }
    }

    /// Goes through identifiers in their order, and returns the age of the last one.
    func lastAge(_ sql: String, of table: String) throws -> Int {
        try writer.read { db in
            var last = 0
            let cursor = try Int.fetchCursor(try db.cachedStatement(sql: sql))
            while let id = try cursor.next() { last = id }
            return try Int.fetchOne(db, sql: "SELECT age FROM \(table) WHERE id = ?", arguments: [last]) ?? 0
        }
    }

    /// One number, such as a count.
    func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try writer.read { db in try Int.fetchOne(try db.cachedStatement(sql: sql), arguments: arguments) ?? 0 }
    }

    func number(_ sql: String, text: String) throws -> Int { try number(sql, [text]) }
    func number(_ sql: String, integer: Int) throws -> Int { try number(sql, [integer]) }

    /// Asks for one number for each key, in one block.
    func sumOfNumbers(_ sql: String, _ keys: ArraySlice<Int>) throws -> Int {
        try writer.read { db in
            let statement = try db.cachedStatement(sql: sql)
            var sum = 0
            for key in keys { sum &+= try Int.fetchOne(statement, arguments: [key]) ?? 0 }
            return sum
        }
    }

    /// Asks for one text for each key, in one block.
    func lengthOfTexts(_ sql: String, _ keys: ArraySlice<Int>) throws -> Int {
        try writer.read { db in
            let statement = try db.cachedStatement(sql: sql)
            var sum = 0
            for key in keys { sum &+= try String.fetchOne(statement, arguments: [key])?.utf8.count ?? 0 }
            return sum
        }
    }

    /// All rows of a query as values of their own, as a list on a screen would hold them.
    func fetchIdentifiers(_ sql: String, integer: Int) throws -> Int {
        try writer.read { db in
            try Int64.fetchAll(try db.cachedStatement(sql: sql), arguments: [integer]).count
        }
    }
}

extension SQLPeer {
    /// What rows about indexes need; other rows do without.
    func addIndexes() throws {
        try writer.write { db in
            try db.execute(
                sql: "CREATE INDEX person_name ON person(name); CREATE INDEX person_age ON person(age)")
        }
    }

    /// Asks for a count for each text, in one block.
    func sumOfCounts(_ sql: String, _ texts: ArraySlice<String>) throws -> Int {
        try writer.read { db in
            let statement = try db.cachedStatement(sql: sql)
            var sum = 0
            for text in texts { sum &+= try Int.fetchOne(statement, arguments: [text]) ?? 0 }
            return sum
        }
    }
}
