import BanyanCore

/// What the process ends with. The numbers are part of the command line's contract.
enum ExitStatus: Int32 {
    case done = 0
    /// It failed, or the answer is no.
    case failed = 1
    /// Usable, but not all of it: the journal ends in an interrupted write, or only a part could be salvaged.
    case incomplete = 3
    case damaged = 4
    /// Written by a newer version, or in a way this program does not know.
    case unsupported = 5
    case noStore = 10
    case inUse = 11
    /// A wrong or missing key. Encrypted stores do not exist yet.
    case key = 12
    case targetNotEmpty = 13
    case usage = 64
    case interrupted = 130

    init(_ code: BanyanError.Code) {
        self =
            switch code {
            case .damaged, .foreignFile: .damaged
            case .unsupportedFormat: .unsupported
            case .notAStore: .noStore
            case .inUse: .inUse
            case .targetNotEmpty: .targetNotEmpty
            case .invalidQuery, .unknownType, .unknownProperty: .usage
            default: .failed
            }
    }
}
