/// The names of those who take part.
package enum Peer {
    package static let banyan = "Banyan"
    package static let plain = "plain"
    package static let grdb = "GRDB"
    package static let columns = "columns"
    package static let raw = "raw"
}
