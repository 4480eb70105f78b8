import MockRuntime
import Testing

@Suite("Which properties detached values have")
struct DetachedArgumentTests {
    @Test("Whether a property is in detached values is written as true or false")
    func literal() {
        Mistake.line(
            "@Persisted(detached: «flag) var x = 0",
            "'detached' is read at compile time; write 'true' or 'false'"
        ).expectReported()
        for argument in ["true", "false"] {
            #expect(findings(in: inModel("@Persisted(detached: \(argument)) private var x = 0")).isEmpty)
        }
    }

    @Test("Private properties stay out, of subclasses' values too")
    func concealed() {
        #expect(Kennel._$concealed == ["secret"] && Membership._$concealed == ["secret"])
        #expect(Person._$concealed.isEmpty && Puppy._$concealed.isEmpty)
    }
}
