import BanyanCore
import BanyanPersistence

extension SnapshotReader {
    /// Reads every frame, which checks it.
    func verify() throws(BanyanError) {
        for index in frames.indices { _ = try read(index) }
    }
}
