@testable import Accounts
import Kernel
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Tracking

/// Uploads of archives, and where they are read.
@Suite("Uploads of archives")
struct ImportUploadTests {
    /// Records the executor on which an archive is read.
    private final class ExecutorRecorder: AccountImportHandler {
        let executors = Mutex<[UnownedTaskExecutor?]>([])

        private func record() {
            let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
            executors.withLock { $0.append(executor) }
        }

        func preview(_ archive: ImportArchive, for person: PersonID) async throws -> (
            entries: [ImportEntry], notes: [ImportNote]
        ) {
            record()
            return ([], [])
        }

        func perform(_ run: ImportRun) async throws {
            record()
            // The store has threads of its own.
            try await run.step(0) { _, _ in }
            record()
        }
    }

    private func service(_ fixture: TrackingFixture, _ handlers: [any AccountImportHandler] = [])
        -> AccountImportService
    {
        let accounts = AccountServices(
            database: fixture.database, siteURL: "https://home.example", clock: fixture.clock, random: fixture.random,
            logger: .silent)
        return AccountImportService(
            database: fixture.database, objects: fixture.objects, pictures: fixture.pictures, accounts: accounts,
            handlers: handlers, clock: fixture.clock, random: fixture.random, logger: .silent)
    }

    private func person(_ fixture: TrackingFixture, at address: String) async throws -> Actor {
        let person = try await fixture.person()
        return Actor(person: person.person, session: person.session, role: .adult, clientAddress: address)
    }

    /// Receives an archive for each of `people`, all at once, and calls `body` while none of them is complete.
    private func whileReceiving(
        _ people: ArraySlice<Actor>, _ imports: AccountImportService, _ body: () async throws -> Void
    ) async throws {
        guard let next = people.first else { return try await body() }
        _ = try? await imports.receive(by: next) { upload in
            try await upload.append([1])
            try await whileReceiving(people.dropFirst(), imports, body)
        }
    }

    @Test("Slow uploads of one network leave places for others", arguments: Engine.allCases)
    func placesPerNetwork(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let imports = service(fixture)
            var slow: [Actor] = []
            for _ in 0..<Limits.importUploadsPerNetwork { slow.append(try await person(fixture, at: "192.0.2.1")) }
            let (fifth, other) = (
                try await person(fixture, at: "192.0.2.1"), try await person(fixture, at: "198.51.100.1")
            )
            var isReached = false
            try await whileReceiving(slow[...], imports) {
                isReached = true
                let busy = await refusal { _ = try await imports.receive(by: fifth) { _ in } }
                #expect(busy?.message == AccountMessage.importBusy.text)
                let missing = await refusal { _ = try await imports.receive(by: other) { _ in } }
                #expect(missing?.message == AccountMessage.importMissing.text)
            }
            #expect(isReached)
            let missing = await refusal { _ = try await imports.receive(by: fifth) { _ in } }
            #expect(missing?.message == AccountMessage.importMissing.text)
        }
    }

    @Test("All networks together have a limited number of uploads", arguments: Engine.allCases)
    func placesOfAll(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let imports = service(fixture)
            var people: [Actor] = []
            for index in 0...Limits.importUploads {
                people.append(try await person(fixture, at: "192.0.2.\(index)"))
            }
            var isReached = false
            try await whileReceiving(people.dropLast(), imports) {
                isReached = true
                let busy = await refusal { _ = try await imports.receive(by: people[Limits.importUploads]) { _ in } }
                #expect(busy?.message == AccountMessage.importBusy.text)
            }
            #expect(isReached)
        }
    }

    @Test("An upload that is too slow ends, and one at the lowest rate doesn't", arguments: Engine.allCases)
    func rate(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let (imports, ada) = (service(fixture), try await fixture.person())
            let second = [UInt8](repeating: 0, count: Int(Limits.importBytesPerSecond))
            var appended = 0
            let slow = await refusal {
                _ = try await imports.receive(by: ada) { upload in
                    for _ in 0..<10 {
                        try await upload.append(second)
                        appended += 1
                        fixture.clock.advance(seconds: 1)
                    }
                    fixture.clock.advance(seconds: Limits.importGraceSeconds)
                    try await upload.append([0])
                    appended += 1
                }
            }
            #expect(appended == 10)
            #expect(slow?.fields == ["archive": AccountMessage.importSlow.text])
        }
    }

    @Test("Archives are read on a thread of their own, not on those of requests", arguments: Engine.allCases)
    func queue(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let recorder = ExecutorRecorder()
            let (imports, ada) = (service(fixture, [recorder]), try await fixture.person())
            let archive = try ZipFixture.account()
            _ = try await imports.receive(by: ada) { try await $0.append(archive) }
            _ = try await imports.start(nil, includesProfile: false, by: Change(actor: ada))
            await imports.worker.performDueJobs()
            #expect(try await imports.current(for: ada)?.state == .done)
            let own = imports.worker.executor.asUnownedTaskExecutor()
            #expect(recorder.executors.withLock(\.self) == [own, own, own])
        }
    }

    private enum ZipFixture {
        static func account() throws -> [UInt8] {
            var writer = ZipWriter(at: Instant(millisecondsSince1970: 1_772_366_400_000))
            let bytes = try writer.store("account.json", Array(#"{"name":"Mia","role":"adult"}"#.utf8))
            return bytes + writer.finish()
        }
    }
}
