import Foundation
import Testing

@testable import Accounts
@testable import Carrepsa
@testable import Family
@testable import FamilyWeb
@testable import Kernel
@testable import Tracking
@testable import WebCore

/// Lists with more entries than any resource has, as long as a body or an archive allows. Each entry is read on its
/// own, or the number of entries is refused first: none is compared with all others.
///
/// The compiler requires the most entries of each list that is read from a body or an archive. These tests cover what
/// the rules do with lists, and that the entries are counted first.
@Suite("The cost of lists")
struct ListCostTests {
    /// Something that takes a list.
    struct Reader: Sendable, CustomTestStringConvertible {
        let name: String
        /// Returns the reading of a list, so that making the list isn't measured.
        let prepare: @Sendable (_ entries: [String]) throws -> @Sendable () throws -> Void

        var testDescription: String { name }

        init(
            _ name: String, _ prepare: @escaping @Sendable (_ entries: [String]) throws -> @Sendable () throws -> Void
        ) {
            self.name = name
            self.prepare = prepare
        }

        /// Reads a list of texts of a JSON body.
        static func json(_ field: String, _ read: @escaping @Sendable (inout Fields) throws -> Void) -> Reader {
            Reader("\(field) of a JSON body") { entries in
                let fields = Fields(
                    [MemberName(field): .list(entries.map { .text($0) })], isForm: false, .english)
                return {
                    var fields = fields
                    try read(&fields)
                }
            }
        }

        /// Reads a list of objects of a JSON body.
        static func objects(_ field: String, _ read: @escaping @Sendable (inout Fields) throws -> Void) -> Reader {
            Reader("\(field) of a JSON body") { entries in
                let fields = Fields(
                    [MemberName(field): .list(entries.map { .object(["reward": .text($0)]) })], isForm: false, .english)
                return {
                    var fields = fields
                    try read(&fields)
                }
            }
        }
    }

    static let readers: [Reader] = [
        Reader("steps of a new chore") { steps in
            let input = ChoreInput(name: "Dishes", steps: steps)
            return { try input.check(hasUpload: true) }
        },
        Reader("steps of a changed chore") { steps in
            let changes = ChoreChanges(steps: .set(steps))
            return { try changes.check() }
        },
        Reader("levels of a contract") { rewards in
            let input = ContractInput(maxPoints: 10, levels: rewards.map { LevelInput(reward: $0, points: 1) })
            return { _ = try ContractDraft(input) }
        },
        Reader("assigned chores") { entries in
            let inputs = entries.indices.map { index in
                AssignmentInput(
                    choreID: ID(at: Instant(millisecondsSince1970: 0), series: Int64(index)), points: 1)
            }
            return { _ = try AssignmentDraft(inputs) }
        },
        Reader("children of a schedule") { entries in
            let input = ChoreScheduleInput(children: Self.ids(entries.count), startsOn: "2026-05-01")
            return { try input.check() }
        },
        Reader("children of a reward") { entries in
            let input = ShopRewardInput(name: "Zoo", price: 1, children: Self.ids(entries.count))
            return { try input.check() }
        },
        Reader("days of a rule") { days in
            let input = GeofenceInput(place: nil, kind: .arrive, days: days)
            return { try input.check() }
        },
        Reader("corners of a safe place") { entries in
            let corners = entries.indices.map { "\(Double($0) / 1_000_000),6" }
            return { _ = try PlaceOutline.read(corners) }
        },
        Reader("days of a trip") { entries in
            let days = entries.indices.map { TripDays.codes[$0 % TripDays.codes.count] }
            return { _ = TripDays(codes: days) }
        },
        Reader("transports of a passkey") { transports in
            return {
                _ = PasskeyRegistration(clientData: [], attestation: [], credentialID: [], transports: transports)
            }
        },
        Reader("lines of a form's steps") { steps in
            let fields = try Fields.form([("steps", .typed(steps.joined(separator: "\n")))], .english)
            return {
                var fields = fields
                try ChoreChanges(steps: fields.steps()).check()
            }
        },
        .json("steps") { fields in try ChoreChanges(steps: fields.steps()).check() },
        .json("childIds") { fields in
            try fields.scheduleInput().check()
            try fields.rewardInput().check()
        },
        .objects("levels") { fields in _ = try ContractDraft(fields.contractInput()) },
        .objects("chores") { fields in _ = try AssignmentDraft(fields.assignmentInputs()) },
    ]

    private static func ids(_ count: Int) -> [String] {
        (0..<count).map { ID<Account>(at: Instant(millisecondsSince1970: 0), series: Int64($0)).description }
    }

    /// Short entries that differ, as many as a body can contain.
    private static let longest = Limits.bodyBytes / 8

    private static func entries(_ count: Int) -> [String] { (0..<count).map { String($0, radix: 36) } }

    @Test("The cost of an entry doesn't grow with the number of entries", arguments: readers)
    func costIsLinear(_ reader: Reader) throws {
        let long = try reader.prepare(Self.entries(Self.longest))
        let short = try reader.prepare(Self.entries(Self.longest / CostPerByteTests.factor))
        var seen: [String] = []
        for _ in 0..<CostPerByteTests.tries {
            let cost = Self.nanoseconds(long)
            guard cost > CostPerByteTests.nanosecondsAtLeast else { return }
            let less = Self.nanoseconds(short)
            if cost <= less * CostPerByteTests.growth { return }
            seen.append("\(cost / 1_000) µs, an eighth of it \(less / 1_000) µs")
        }
        Issue.record("\(Self.longest) entries: \(seen.joined(separator: "; "))")
    }

    private static func nanoseconds(_ work: () throws -> Void) -> Int64 {
        let start = CostPerByteTests.now
        try? work()
        return CostPerByteTests.now - start
    }

    @Test("Ten thousand steps get the error of their field", arguments: [true, false])
    func steps(isForm: Bool) throws {
        let steps = Self.entries(10_000)
        var fields =
            try isForm
            ? Fields.form([("steps", .typed(steps.joined(separator: "\n")))], .english)
            : Fields(["steps": .list(steps.map { .text($0) })], isForm: false, .english)
        #expect(fields.steps().newValue == nil)
        #expect(fields.problems == ["steps": FamilyMessage.tooManySteps.text])
        do {
            try ChoreChanges(steps: .set(steps)).check()
            Issue.record("The steps are accepted")
        } catch let error as AppError {
            #expect(error.fields == ["steps": FamilyMessage.tooManySteps.text])
        }
    }

    // MARK: Archives

    /// The lists of archives that the program reads, by the calls in its sources.
    static let paths: [String] = {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let files = FileManager.default.enumerator(
            at: root.appending(path: "Sources"), includingPropertiesForKeys: nil)
        var paths: [String] = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift", let data = try? Data(contentsOf: file),
                data.range(of: Data("ImportArchive".utf8)) != nil
            else { continue }
            let text = String(decoding: data, as: UTF8.self)
            paths += text.matches(of: #/[. ]list\(\s*"([a-z]+/[a-z-]+\.json)"/#).map { String($0.1) }
        }
        return paths.sorted()
    }()

    private static let archiveReaders: [@Sendable (ImportArchive) async throws -> Void] = [
        { _ = try await ImportedFamily($0, now: Instant(millisecondsSince1970: 1_772_366_400_000)) },
        { _ = try await $0.importedItems() },
        { _ = try await $0.importedPlaces() },
    ]

    @Test("The lists of archives are found in the sources")
    func pathsAreFound() {
        #expect(Set(Self.paths).isSuperset(of: ["family/chores.json", "family/schedules.json", "tracking/items.json"]))
        #expect(Set(Self.paths).count == Self.paths.count)
    }

    @Test("The entries of each list of an archive are counted before one of them is read", arguments: paths)
    func archives(path: String) async throws {
        // More than the limit of any list. An entry that is read is refused without the name of the file.
        let list = "[" + String(repeating: "{},", count: Limits.importedContractsOfHousehold) + "{}]"
        let archive = try await Self.archive([("account.json", #"{"role":"adult"}"#), (path, list)])
        var messages: [String] = []
        for read in Self.archiveReaders {
            do {
                try await read(archive)
            } catch let error as AppError {
                messages.append(error.message)
            }
        }
        #expect(messages.count == 1)
        #expect(messages.first?.contains(path) ?? false)
    }

    private static func archive(_ files: [(path: String, text: String)]) async throws -> ImportArchive {
        var zip = ZipWriter(at: Instant(millisecondsSince1970: 1_772_366_400_000))
        var bytes: [UInt8] = []
        for (path, text) in files { bytes += try zip.store(path, Array(text.utf8)) }
        return try await ImportArchive(BytesOfArchive(bytes: bytes + zip.finish()))
    }

    private struct BytesOfArchive: ArchiveBytes {
        let bytes: [UInt8]

        var count: Int { bytes.count }

        func read(from offset: Int, count: Int) async throws -> [UInt8] {
            guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
                throw ZipError.damaged
            }
            return Array(bytes[offset..<offset + count])
        }
    }
}
