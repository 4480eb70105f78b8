import BanyanCore

/// A store whose export is larger than any pipe's buffer.
enum ManyObjects {
    static func make(_ path: String, _ count: Int) throws {
        let store = try SampleStore(path)
        try store.commit { transaction in
            for number in 1...count { try SampleStore.addPerson(number, to: transaction) }
        }
        try store.checkpoint()
        try store.close()
    }
}
