/// The names of a store's files. They come from here and from nowhere else: no name is ever taken out of a file's
/// content.
///
/// Segments and snapshots carry a sequence in 20 digits, so that names sort as they follow each other. When a name is
/// taken by an earlier file of the same sequence (an empty or cut segment, a second snapshot of one commit), a number
/// that is never used twice is added.
package enum FileNames {
    static let manifest = "MANIFEST"
    static let previousManifest = "MANIFEST.prev"
    static let lock = "LOCK"
    static let quarantine = "quarantine"
    static let temporarySuffix = ".tmp"
    static let segmentSuffix = ".bjl"
    static let snapshotSuffix = ".bsn"

    static func segment(first: UInt64, mark: UInt64) -> String { digits(first) + marked(mark) + segmentSuffix }
    static func snapshot(sequence: UInt64, mark: UInt64) -> String { digits(sequence) + marked(mark) + snapshotSuffix }

    package enum Kind: Hashable {
        case manifest, previousManifest, lock, quarantine, temporary
        case segment(first: UInt64)
        case snapshot(sequence: UInt64)
        case unknown
    }

    /// What a name in a store's directory stands for.
    static func kind(of name: String) -> Kind {
        switch name {
        case manifest: return .manifest
        case previousManifest: return .previousManifest
        case lock: return .lock
        case quarantine: return .quarantine
        default: break
        }
        if name.hasSuffix(temporarySuffix) { return .temporary }
        if name.hasSuffix(segmentSuffix), let first = number(name.dropLast(segmentSuffix.count)) {
            return .segment(first: first)
        }
        if name.hasSuffix(snapshotSuffix), let sequence = number(name.dropLast(snapshotSuffix.count)) {
            return .snapshot(sequence: sequence)
        }
        return .unknown
    }

    /// What a temporary file was to become.
    static func kind(ofTemporary name: String) -> Kind { kind(of: String(name.dropLast(temporarySuffix.count))) }

    static func isUnfinishedSnapshot(_ name: String) -> Bool {
        guard kind(of: name) == .temporary, case .snapshot = kind(ofTemporary: name) else { return false }
        return true
    }

    private static func digits(_ value: UInt64) -> String {
        let text = String(value)
        return String(repeating: "0", count: 20 - text.count) + text
    }

    private static func marked(_ mark: UInt64) -> String { mark == 0 ? "" : "-\(mark)" }

    private static func number(_ stem: Substring) -> UInt64? {
        let parts = stem.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts[0].utf8.count == 20, parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) }),
            parts.count == 1 || UInt64(parts[1]) != nil
        else { return nil }
        return UInt64(parts[0])
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
