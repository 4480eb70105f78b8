import Testing

/// A source text with one mistake: `«` stands where the message has to point.
struct Mistake: CustomTestStringConvertible, Sendable {
    var marked: String
    var message: String
    var fixIt: String?
    var fixed: String?

    /// A mistake in a whole file.
    init(_ marked: String, _ message: String, fixIt: String? = nil, fixed: String? = nil) {
        self.marked = marked
        self.message = message
        self.fixIt = fixIt
        self.fixed = fixed
    }

    /// A mistake in one line of a model.
    static func line(_ marked: String, _ message: String, fixIt: String? = nil, fixed: String? = nil) -> Mistake {
        Mistake(inModel(marked), message, fixIt: fixIt, fixed: fixed.map(inModel))
    }

    var testDescription: String { marked }

    /// Expects that this mistake, and nothing else, is reported.
    func expectReported(sourceLocation: SourceLocation = #_sourceLocation) {
        let source = marked.replacing("«", with: "")
        let expected = Finding(message: message, marked: marked, fixIt: fixIt, fixed: fixed)
        let found = findings(in: source)
        #expect(found == [expected], sourceLocation: sourceLocation)
        if let fixed {
            #expect(findings(in: fixed).isEmpty, "the fix leaves no mistake", sourceLocation: sourceLocation)
        }
    }
}

func inModel(_ line: String) -> String {
    "@Model class Dog: Object {\n    \(line)\n}"
}
