import GRDB

/// GRDB on SQLite, used as somebody would who knows it well: statements are prepared once and kept, many operations share one
/// block, columns are read by position. Foreign keys are checked, links and inverse have an index.
final class SQLPeer {
    let writer: any DatabaseWriter

    /// A database in memory.
    convenience init() throws { try self.init(DatabaseQueue()) }

    /// One on disk, in WAL mode; a commit is on the device when `write` returns.
    convenience init(durableAt path: String) throws {
        try self.init(DatabasePool(path: path))
        // The pool has lowered it when it went to WAL mode.
        try writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
    }

    init(_ writer: any DatabaseWriter) throws {
        self.writer = writer
        try writer.write { db in
            guard try !db.tableExists("dog") else { return }
            try db.execute(
                sql: """
                    CREATE TABLE dog (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL);
                    CREATE TABLE person (
                        id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, score DOUBLE NOT NULL,
                        active BOOLEAN NOT NULL, email TEXT, dogID INTEGER REFERENCES dog(id) ON DELETE SET NULL);
                    CREATE INDEX person_dog ON person(dogID);
                    CREATE TABLE friendship (
                        personID INTEGER NOT NULL REFERENCES person(id) ON DELETE CASCADE, position INTEGER NOT NULL,
                        friendID INTEGER NOT NULL REFERENCES person(id) ON DELETE CASCADE,
                        PRIMARY KEY (personID, position)) WITHOUT ROWID;
                    CREATE INDEX friendship_friend ON friendship(friendID);
                    """)
        }
    }

    // MARK: - Inserting

    static let insertPerson = """
        INSERT INTO person (id, name, age, score, active, email, dogID) VALUES (?, ?, ?, ?, ?, ?, ?)
        """

    func insert(_ samples: Samples) throws {
        try writer.write { db in
            let dog = try db.cachedStatement(sql: "INSERT INTO dog (id, name, age) VALUES (?, ?, ?)")
            for (id, sample) in samples.dogs.enumerated() {
                dog.setUncheckedArguments([id, sample.name, sample.age])
                try dog.execute()
            }
            let person = try db.cachedStatement(sql: Self.insertPerson)
            for sample in samples.people { try Self.insert(sample, person) }
        }
    }

    static func insert(_ sample: Samples.Person, _ statement: Statement) throws {
        statement.setUncheckedArguments([
            sample.id, sample.name, sample.age, sample.score, sample.active, sample.email, sample.dog,
        ])
        try statement.execute()
    }

    /// A transaction for each person, without a dog.
    func insertOneByOne(_ samples: ArraySlice<Samples.Person>, firstKey: Int) throws {
        for (i, sample) in samples.enumerated() {
            try writer.write { db in
                let statement = try db.cachedStatement(sql: Self.insertPerson)
                statement.setUncheckedArguments([
                    firstKey + i, sample.name, sample.age, sample.score, sample.active, sample.email, nil,
                ])
                try statement.execute()
            }
        }
    }

    func deletePeople(from key: Int) throws {
        try writer.write { db in try db.execute(sql: "DELETE FROM person WHERE id >= ?", arguments: [key]) }
    }
}

extension SQLPeer {
    /// A database in memory with samples that nobody keeps.
    convenience init(_ source: SampleSource, _ count: Int) throws {
        try self.init()
        try writer.write { db in
            var source = source
            let dog = try db.cachedStatement(sql: "INSERT INTO dog (id, name, age) VALUES (?, ?, ?)")
            for id in 0..<count {
                let sample = source.dog(id)
                dog.setUncheckedArguments([id, sample.name, sample.age])
                try dog.execute()
            }
            let person = try db.cachedStatement(sql: Self.insertPerson)
            for id in 0..<count { try Self.insert(source.person(id), person) }
        }
    }
}
