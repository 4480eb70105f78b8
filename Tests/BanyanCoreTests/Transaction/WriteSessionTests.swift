import BanyanCore
import Testing

@Suite("The course of a write")
struct WriteSessionTests {
    /// All that can happen in a write.
    struct Course: CustomTestStringConvertible {
        var request: WriteSession.Request
        var hasChanges: Bool
        var hasFault: Bool
        var hasPendingChecks: Bool
        var isViolated: Bool
        var isRefused: Bool

        static let all: [Course] = (0..<64).map { bits in
            func bit(_ place: Int) -> Bool { bits >> place & 1 != 0 }
            return Course(
                request: bit(0) ? .commit : .cancel, hasChanges: bit(1), hasFault: bit(2), hasPendingChecks: bit(3),
                isViolated: bit(4), isRefused: bit(5))
        }

        var testDescription: String {
            let facts = [
                (hasChanges, "changes"), (hasFault, "fault"), (hasPendingChecks, "checks"), (isViolated, "violation"),
                (isRefused, "refused"),
            ]
            return "\(request)" + facts.filter(\.0).map { " \($0.1)" }.joined()
        }
    }

    private static let fault = BanyanError(.foreignObject, "a misuse")
    private static let violation = BanyanError(.constraint, "a violation")
    private static let failure = BanyanError(.diskFull, "a failure")

    /// The steps that a write asked for, and how it ended.
    private func run(_ course: Course) throws -> (steps: [String], conclusion: WriteSession.Conclusion) {
        let workspace = Workspace(Version.empty(try Self.layout()))
        var session = WriteSession()
        #expect(!session.isOpen)
        session.begin()
        #expect(session.isOpen)
        let transaction = workspace.begin()
        if course.hasChanges { _ = transaction.create(0) }
        var steps: [String] = []
        var step = session.end(
            course.request,
            .init(
                hasChanges: course.hasChanges, fault: course.hasFault ? Self.fault : nil,
                hasPendingChecks: course.hasPendingChecks))
        while true {
            #expect(!session.isOpen)
            switch step {
            case .checkConstraints:
                steps.append("check")
                step = session.checked(course.isViolated ? Self.violation : nil)
            case .commit:
                steps.append("commit")
                step = session.committed(try #require(workspace.commit(sequence: 1, time: 0)))
            case .rollBack:
                steps.append("roll back")
                workspace.rollback()
                step = session.rolledBack(to: workspace.version)
            case .settle(let sequence):
                steps.append("settle \(sequence)")
                let conclusion = session.settled(course.isRefused ? Self.failure : nil)
                try session.requireIdle(isWritingHere: false)
                return (steps, conclusion)
            }
        }
    }

    private static func layout() throws -> StoreLayout {
        try StoreLayout(
            Schema(types: [TypeSchema(name: "Item", properties: [PropertySchema(name: "value", kind: .int)])]))
    }

    @Test("Every course asks for the right steps and ends as it must", arguments: Course.all)
    func courses(_ course: Course) throws {
        let (steps, conclusion) = try run(course)
        // What the rules say, told another way: by the first obstacle there is.
        let mayCommit = course.request == .commit && course.hasChanges && !course.hasFault
        let isViolated = mayCommit && course.hasPendingChecks && course.isViolated
        let commits = mayCommit && !isViolated
        var expected = mayCommit && course.hasPendingChecks ? ["check"] : []
        expected += commits ? ["commit", "settle 1"] : ["roll back", "settle 0"]
        #expect(steps == expected)
        #expect(conclusion.isRefused == course.isRefused)

        let error: BanyanError? =
            if course.request == .cancel {
                nil
            } else if course.hasFault {
                Self.fault
            } else if isViolated {
                Self.violation
            } else if course.isRefused {
                Self.failure
            } else {
                nil
            }
        switch conclusion.outcome {
        case .cancelled: #expect(course.request == .cancel)
        case .failed(let told): #expect(told.message == error?.message)
        case .committed(let commit):
            #expect(error == nil && course.request == .commit)
            #expect(commit.isEmpty != commits)
            #expect(commit.sequence == (commits ? 1 : 0))
        }
    }

    @Test("A write that could only wait for itself is refused, and one beside a write that waits for the disk is not")
    func nested() throws {
        var session = WriteSession()
        try session.requireIdle(isWritingHere: false)
        #expect(throws: BanyanError.self) { try session.requireIdle(isWritingHere: true) }
        session.begin()
        #expect { try session.requireIdle(isWritingHere: false) } throws: {
            ($0 as? BanyanError)?.code == .nestedWrite
        }
    }

    @Test("Steps out of order trap")
    func order() async {
        await #expect(processExitsWith: .failure) {
            var session = WriteSession()
            _ = session.end(.commit, .init(hasChanges: false, fault: nil, hasPendingChecks: false))
        }
        await #expect(processExitsWith: .failure) {
            var session = WriteSession()
            session.begin()
            _ = session.settled(nil)
        }
    }
}
