import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Notifications

@Suite("Test messages of administrators")
struct PushAdministrationTests {
    private func administrator(_ fixture: NotificationsFixture) async throws -> Actor {
        let ada = try await fixture.person()
        try await fixture.database.write { tx in
            try tx.execute("UPDATE account SET is_operator = \(true) WHERE id = \(ada.person)")
        }
        return ada
    }

    private func service(_ fixture: NotificationsFixture) -> PushAdministrationService {
        let accounts = AccountServices(
            database: fixture.database, siteURL: "https://home.example", clock: fixture.clock, random: fixture.random,
            logger: .silent)
        return fixture.service.administration(accounts.administratorActs)
    }

    @Test("A test message is sent at once, encrypted for the chosen device", arguments: Engine.allCases)
    func accepted(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await administrator(fixture)
            let browser = try TestBrowser()
            try await fixture.service.subscribe(browser.description, language: "en", by: ada)
            let push = service(fixture)
            let details = try await push.details(for: ada)
            #expect(details.publicKey == fixture.service.publicKey)
            #expect(details.devices.count == 1)
            let device = try #require(details.devices.first)
            #expect(device.service == "fcm.googleapis.com")
            #expect(try await push.sendTest(to: device.id, by: ada) == .accepted)
            let request = try #require(fixture.transport.requests.first)
            #expect(try browser.message(request).title == "Notifications work")
            #expect(try await fixture.waitingJobs() == 0)
            #expect(try await fixture.service.unreadCount(of: ada) == 1)
        }
    }

    @Test("The push service's response is returned, and a lost subscription is deleted", arguments: Engine.allCases)
    func responses(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await administrator(fixture)
            try await fixture.service.subscribe(try TestBrowser().description, language: "en", by: ada)
            let push = service(fixture)
            let device = try #require(try await push.details(for: ada).devices.first).id
            fixture.transport.answer(
                .success(PushReply(status: 403)), .success(PushReply(status: 503)), .failure(.unreachable("name")),
                .failure(.notPublic), .success(PushReply(status: 410)))
            for expected: PushTestResult in [
                .refused(status: 403), .busy(status: 503), .unreachable("name"), .notPublic, .expired,
            ] {
                #expect(try await push.sendTest(to: device, by: ada) == expected)
                fixture.clock.advance(seconds: 1)
            }
            #expect(try await push.details(for: ada).devices.isEmpty)
            await #expect(throws: AppError.notFound) { _ = try await push.sendTest(to: device, by: ada) }
        }
    }

    @Test("Only administrators send test messages, only to their own devices, and not too many")
    func limits() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await administrator(fixture)
            let ben = try await fixture.person()
            try await fixture.service.subscribe(try TestBrowser("one").description, language: "en", by: ada)
            try await fixture.service.subscribe(try TestBrowser("two").description, language: "en", by: ben)
            let push = service(fixture)
            let own = try #require(try await push.details(for: ada).devices.first).id
            let other = try await fixture.database.read { tx in
                try SubscriptionStore.devices(of: ben.person, in: tx).first?.id
            }
            await #expect(throws: AppError.notFound) { _ = try await push.sendTest(to: try #require(other), by: ada) }
            for work in [{ _ = try await push.details(for: ben) }, { _ = try await push.sendTest(to: own, by: ben) }] {
                let error = await #expect(throws: AppError.self) { try await work() }
                #expect(error?.code == .forbidden)
            }
            for _ in 0..<Limits.pushTestMessages { _ = try await push.sendTest(to: own, by: ada) }
            let error = await #expect(throws: AppError.self) { _ = try await push.sendTest(to: own, by: ada) }
            #expect(error?.code == .throttled)
        }
    }
}
