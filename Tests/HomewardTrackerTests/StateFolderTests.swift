import Foundation
import Kernel
import Testing
import TrackerCore
import TrackerProtocol

@testable import homeward_tracker

@Suite struct StateFolderTests {
    private let began = Instant(millisecondsSince1970: 1_772_366_400_000)

    private func record(registered: Bool) throws -> TrackerRecord {
        var machine = TrackerMachine(plan: TrackerPlan())
        _ = machine.handle(.started, at: began)
        if registered { _ = machine.handle(.registered, at: began) }
        return TrackerRecord(
            identity: try TrackerIdentity(random: SystemRandom()),
            server: registered
                ? FirstContactResponse(id: TrackerID(at: began, series: 1), publicKey: Array(1...32)) : nil,
            memory: machine.memory, beganAt: began, batteryAtBeginning: 77
        )
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "tracker-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test("A state reads back unchanged and is readable only by its owner", arguments: [false, true])
    func roundTrip(registered: Bool) throws {
        try withFolder { path in
            let folder = StateFolder(path: path + "/deep/er")
            try folder.create()
            #expect(try folder.load() == nil)
            let record = try record(registered: registered)
            try folder.save(record)
            try folder.save(record)
            let read = try #require(try folder.load())
            #expect(read.identity.keyPair.privateKey == record.identity.keyPair.privateKey)
            #expect(read.identity.claimCode == record.identity.claimCode)
            #expect(read.server == record.server)
            #expect(read.memory == record.memory)
            #expect(read.beganAt == began)
            #expect(read.batteryAtBeginning == 77)
            #expect((read.conversation != nil) == registered)
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/deep/er/tracker.json")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("A damaged state is an error and is not overwritten") func damaged() throws {
        try withFolder { path in
            let folder = StateFolder(path: path)
            try folder.create()
            try folder.save(try record(registered: true))
            let file = path + "/tracker.json"
            let whole = try #require(FileManager.default.contents(atPath: file))
            for length in stride(from: 0, to: whole.count - 2, by: 7) {
                #expect(FileManager.default.createFile(atPath: file, contents: whole.prefix(length)))
                #expect(throws: StateFolder.Failure.self) { try folder.load() }
            }
        }
    }

    @Test("Two trackers can't use one folder") func lock() throws {
        try withFolder { path in
            let folder = StateFolder(path: path)
            try folder.create()
            try folder.lock()
            #expect(throws: StateFolder.Failure.self) { try folder.lock() }
        }
    }

    @Test("A folder that can't be created is an error") func unusable() {
        #expect(throws: StateFolder.Failure.self) { try StateFolder(path: "/proc/none/such").create() }
    }
}
