package import BanyanPersistence

extension Durability {
    package init?(named name: String) {
        switch name {
        case "everyCommit": self = .everyCommit
        case "interval": self = .interval(.milliseconds(5))
        case "onClose": self = .onClose
        default: return nil
        }
    }
}
