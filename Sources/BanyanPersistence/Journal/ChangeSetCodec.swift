package import BanyanCore

/// A change set as bytes: the payload of a journal record.
///
/// ```
/// form (1) · flags · author, reason, request id, growth as flagged · length of the forward part · forward part · backward part
/// ```
/// The *forward part* is all that replay needs, in the order replay needs it: which objects go, which come (their slots
/// first, so that links among them have somewhere to point), what the new ones hold, what the others' properties become, and
/// which ids were given out to objects that were gone again when the commit ended, for they are given out once. The
/// *backward part* is what the feed and undo need besides: what deleted objects held and what changed values were before, in
/// the order in which the forward part names them. So replay never reads an old value.
///
/// Inverse links are derived and never written. FileFormat-Payloads.md has it byte by byte.
package enum ChangeSetCodec {
    static let form: UInt8 = 1

    enum Flags {
        static let author: UInt8 = 1
        static let reason: UInt8 = 2
        static let requestID: UInt8 = 4
        static let growth: UInt8 = 8
        static let spent: UInt8 = 16
        static let all: UInt8 = 31
    }

    /// Pages that a commit of any size may add to tables. A commit that adds more, most of them for objects that were gone
    /// again when it ended, carries a byte for each: no few bytes make replay allocate without limit.
    static let freeGrowth = 8192

    struct Header {
        var metadata = CommitMetadata()
        /// Pages that replay may add.
        var growth = ChangeSetCodec.freeGrowth
        /// Whether the forward part ends with the slots of objects that came and went within the commit.
        var hasSpent = false
    }

    /// What a run of a list edit does, in the low two bits of its header.
    enum ListOperation {
        static let kept = 0
        static let set = 1
        static let inserted = 2
        static let removed = 3
    }

    /// Only who, why and the request's id.
    ///
    /// - Throws: `damaged`, `unsupportedFormat`.
    package static func metadata(of payload: CommitPayload) throws(BanyanError) -> CommitMetadata {
        try withStreams(payload) { header, _, _ throws(PayloadFault) in header.metadata }
    }

    /// Splits a payload into its parts; what `body` finds wrong becomes an error.
    static func withReaders<R>(
        _ payload: [UInt8],
        _ body: (Header, inout PayloadReader, inout PayloadReader) throws(PayloadFault) -> R
    ) throws(BanyanError) -> R {
        let result: Result<R, BanyanError> = payload.withUnsafeBytes { raw in
            do throws(PayloadFault) {
                var reader = PayloadReader(raw)
                if let error = unsupported(try reader.byte()) { return .failure(error) }
                let header = try header(&reader)
                var forward = PayloadReader(try reader.data())
                return .success(try body(header, &forward, &reader))
            } catch {
                return .failure(failure(error))
            }
        }
        return try result.get()
    }

    /// Why a payload of this form cannot be read; nil for the one form there is.
    static func unsupported(_ form: UInt8) -> BanyanError? {
        guard form != Self.form else { return nil }
        return BanyanError(
            .unsupportedFormat, "the commit is stored in form \(form), and this program reads form 1",
            remedy: "Use a newer Banyan")
    }

    static func failure(_ fault: PayloadFault) -> BanyanError {
        BanyanError(.damaged, "the commit cannot be read", cause: fault.reason)
    }

    static func header(_ reader: inout PayloadReader) throws(PayloadFault) -> Header {
        let flags = try reader.byte()
        guard flags & ~Flags.all == 0 else { throw PayloadFault("it has unknown flags") }
        var header = Header()
        if flags & Flags.author != 0 { header.metadata.author = try reader.string() }
        if flags & Flags.reason != 0 { header.metadata.reason = try reader.string() }
        if flags & Flags.requestID != 0 { header.metadata.requestID = try reader.string() }
        if flags & Flags.growth != 0 { header.growth += try reader.data().count }
        header.hasSpent = flags & Flags.spent != 0
        return header
    }
}
