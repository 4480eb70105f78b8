import BanyanCore

/// An error with all that is known around it: where, what is still good, how much is at stake, what to do next.
struct Failure: Error {
    var error: BanyanError
    var exitCode: ExitStatus
    /// The last commit that can be believed.
    var lastGood: CommitPoint?
    /// What could not be reached, in words.
    var atStake: String?
    /// Commands to run next, as they can be typed.
    var next: [String] = []

    init(_ error: BanyanError) {
        self.error = error
        exitCode = ExitStatus(error.code)
    }

    /// The answer is no, or something that is no error of the store.
    init(_ status: ExitStatus, _ message: String, remedy: String? = nil, next: [String] = []) {
        error = BanyanError(.invalidValue, message, remedy: remedy)
        exitCode = status
        self.next = next
    }

    func print() {
        Messages.error(text)
    }

    /// Its parts may come from a damaged or a hostile file: each is made visible.
    var text: String {
        var lines = ["banyan: " + Shown.plainLines(Self.sentence(error.message, error.cause))]
        func fact(_ name: String, _ value: String?) {
            guard let value else { return }
            lines.append("  " + name.padded(to: 11) + Shown.plain(value))
        }
        let place = error.location
        if let type = place.type {
            fact("type", place.property.map { "\(type).\($0)" } ?? type)
        }
        fact("object", place.object)
        fact("file", place.file)
        fact("offset", place.offset.map { "\($0)" })
        fact("commit", place.sequence.map { "\($0)" })
        fact("last good", lastGood?.text)
        fact("at stake", atStake)
        // Where the remedy names commands in general, the next ones are those for this store.
        if next.isEmpty || error.remedy?.contains("`banyan") == false { fact("hint", error.remedy) }
        for (index, command) in next.enumerated() { fact(index == 0 ? "next" : "", command) }
        return lines.joined(separator: "\n")
    }

    private static func sentence(_ message: String, _ cause: String?) -> String {
        guard let cause else { return message }
        return "\(message): \(cause.hasSuffix(".") ? String(cause.dropLast()) : cause)"
    }
}

/// A commit, by number and time.
struct CommitPoint: Hashable {
    var sequence: UInt64
    /// Nanoseconds since 1970; nil when it is not known.
    var time: Int64?

    var text: String {
        sequence == 0
            ? "the empty store, before commit 1" : "commit \(sequence)" + (time.map { ", \(Moment.text($0))" } ?? "")
    }
}
