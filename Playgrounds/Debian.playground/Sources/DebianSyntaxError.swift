/// Where and why a control file is not what it should be.
public struct DebianSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's name, as the reader was told; may be empty.
    public var file: String
    /// Counted from 1.
    public var line: Int
    public var message: String

    public init(file: String, line: Int, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    /// `packages.txt:12: a continuation line without a field before it`
    public var description: String { "\(file.isEmpty ? "line " : file + ":")\(line): \(message)" }
}
