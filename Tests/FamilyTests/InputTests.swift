import Accounts
import Kernel
import TestSupport
import Testing

@testable import Family

@Suite("Validation of contracts and assignments")
struct InputTests {
    struct BadContract: Sendable, CustomTestStringConvertible {
        let fields: Set<String>
        let why: String
        let change: @Sendable (inout ContractInput) -> Void
        var testDescription: String { why }
    }

    private static let badContracts: [BadContract] = [
        BadContract(fields: ["maxPoints"], why: "no maximum") { $0.maxPoints = nil },
        BadContract(fields: ["maxPoints"], why: "maximum 0") { $0.maxPoints = 0 },
        BadContract(fields: ["maxPoints"], why: "maximum -1") { $0.maxPoints = -1 },
        BadContract(fields: ["maxPoints"], why: "maximum over a million") { $0.maxPoints = 1_000_001 },
        BadContract(fields: ["maxPoints"], why: "maximum 2^63-1") { $0.maxPoints = .max },
        BadContract(fields: ["description"], why: "1001 characters of description") {
            $0.description = String(repeating: "x", count: 1_001)
        },
        BadContract(fields: ["description"], why: "a control character in the description") {
            $0.description = "a\u{7}b"
        },
        BadContract(fields: ["levels"], why: "no level") { $0.levels = [] },
        BadContract(fields: ["levels"], why: "11 levels") {
            $0.maxPoints = 100
            $0.levels = [LevelInput](repeating: LevelInput(reward: "x", points: 1), count: 11)
        },
        BadContract(fields: ["levels.1.reward"], why: "no reward") { $0.levels[1].reward = nil },
        BadContract(fields: ["levels.0.reward"], why: "a blank reward") { $0.levels[0].reward = " \u{200b} " },
        BadContract(fields: ["levels.2.reward"], why: "101 characters of reward") {
            $0.levels[2].reward = String(repeating: "ä", count: 101)
        },
        BadContract(fields: ["levels.2.reward"], why: "a line break in a reward") { $0.levels[2].reward = "a\nb" },
        BadContract(fields: ["levels.1.points"], why: "no points") { $0.levels[1].points = nil },
        BadContract(fields: ["levels.1.points"], why: "0 points") { $0.levels[1].points = 0 },
        BadContract(fields: ["levels.1.points"], why: "-1 points") { $0.levels[1].points = -1 },
        BadContract(fields: ["levels.1.points"], why: "a level above the maximum") { $0.levels[1].points = 11 },
        BadContract(fields: ["levels.1.points"], why: "2^63-1 points") { $0.levels[1].points = .max },
        BadContract(fields: ["levels", "levels.2.points"], why: "the sum one above the maximum") {
            $0.levels[2].points = 5
        },
        BadContract(fields: ["maxPoints", "levels.0.reward", "levels.1.points"], why: "everything at once") {
            $0.maxPoints = 0
            $0.levels[0].reward = ""
            $0.levels[1].points = -3
        },
    ]

    private func changed(_ change: (inout ContractInput) -> Void) -> ContractInput {
        var input = FamilyFixture.tenPoints
        change(&input)
        return input
    }

    @Test("Each invalid value of a contract gets an error at its field", arguments: badContracts)
    func refused(bad: BadContract) {
        let input = changed(bad.change)
        let error = #expect(throws: AppError.self) { _ = try ContractDraft(input) }
        #expect(error?.code == .invalid)
        #expect(error.map { Set($0.fields.keys) } == bad.fields)
    }

    @Test("A contract at all limits is valid")
    func limits() throws {
        let reward = String(repeating: "👨‍👩‍👧", count: 100)
        let levels = [LevelInput](repeating: LevelInput(reward: reward, points: 100_000), count: 10)
        let text = String(repeating: "é", count: 1_000)
        let draft = try ContractDraft(ContractInput(maxPoints: 1_000_000, description: text, levels: levels))
        #expect(draft.levels.last?.threshold == 1_000_000)
        let least = try ContractDraft(ContractInput(maxPoints: 1, levels: [LevelInput(reward: "x", points: 1)]))
        #expect(least.description == nil)
        let blank = try ContractDraft(
            ContractInput(maxPoints: 1, description: "  \r\n", levels: [LevelInput(reward: " ö ", points: 1)]))
        #expect(blank.description == nil)
        #expect(blank.levels.first?.reward == "ö")
    }

    @Test("Each invalid value of an assignment gets an error at its field")
    func assignments() {
        func fields(_ inputs: [AssignmentInput]) -> Set<String>? {
            do {
                _ = try AssignmentDraft(inputs)
                return nil
            } catch {
                return (error as? AppError).map { Set($0.fields.keys) }
            }
        }
        let random = SeededRandom(seed: 1)
        let one = ID<Chore>(at: TestClock().now, random: random)
        let other = ID<Chore>(at: TestClock().now, random: random)
        #expect(fields([]) == ["chores"])
        for points in [nil, 0, -1, 4, .max, .min] as [Int64?] {
            #expect(fields([AssignmentInput(choreID: one, points: points)]) == ["chores.0.points"])
        }
        #expect(fields([AssignmentInput(choreID: nil, points: 1)]) == ["chores.0.choreId"])
        #expect(fields(.each([one, other, one], 1)) == ["chores.2.choreId"])
        #expect(fields(.each([one, other], 3)) == nil)
        let many = (0..<101).map { _ in ID<Chore>(at: TestClock().now, random: random) }
        #expect(fields(.each(many, 1)) == ["chores"])
    }

    @Test("Every error message ends with a full stop")
    func messages() {
        for message in FamilyMessage.allCases { #expect(message.text.hasSuffix("."), "\(message)") }
    }
}
