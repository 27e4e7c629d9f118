import Accounts
import Foundation
import Jobs
import Kernel
import Storage
import TestSupport
import Testing

@testable import Notifications

@Suite("Sending push messages")
struct SendingTests {
    @Test("Each device gets a message that only it can decrypt", arguments: Engine.allCases)
    func everyDevice(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person(language: "de")
            let tablet = try await fixture.device(of: ada)
            let browsers = [try TestBrowser("phone", seed: 1), try TestBrowser("tablet", seed: 2)]
            try await fixture.service.subscribe(browsers[0].description, language: "en", by: ada)
            try await fixture.service.subscribe(browsers[1].description, language: "en", by: tablet)
            let notice = fixture.notice(for: ada)
            try await fixture.post(notice)
            #expect(try await fixture.sendDue() == nil)
            #expect(Set(fixture.transport.requests.map(\.endpoint)) == Set(browsers.map(\.endpoint)))
            for request in fixture.transport.requests {
                let browser = try #require(browsers.first { $0.endpoint == request.endpoint })
                let message = try browser.message(request)
                #expect(message.title == "Keys ist 23\u{a0}m entfernt")
                #expect(message.body == "Zuletzt gesehen bei 60.17000, 24.94000.")
                #expect(message.url == "/tracking/items/1")
                #expect(message.id == notice.id.description)
                #expect(message.actions == [.init(action: "open", title: "Details öffnen")])
                #expect(message.failure == nil)
                let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
                #expect(headers["TTL"] == "\(Limits.pushWarningSeconds)")
                #expect(headers["Urgency"] == "high")
                #expect(headers["Content-Encoding"] == "aes128gcm")
                #expect(headers["Authorization"]?.hasPrefix("vapid t=") == true)
            }
            #expect(try await fixture.waitingJobs() == 0)
        }
    }

    @Test("Messages without details contain no name and no position", arguments: Engine.allCases)
    func hidden(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let browser = try TestBrowser()
            try await fixture.service.subscribe(browser.description, language: "en", by: ada)
            _ = try await fixture.service.changeSettings(by: Change(actor: ada)) { $0.hidesDetails = true }
            try await fixture.post(fixture.notice(for: ada))
            _ = try await fixture.sendDue()
            let request = try #require(fixture.transport.requests.first)
            let text = String(decoding: try browser.read(request.body), as: UTF8.self)
            #expect(!text.contains("Keys") && !text.contains("60.17"))
            #expect(try browser.message(request).url == "/tracking/items/1")
        }
    }

    @Test("A muted notification is in the feed and goes to no device", arguments: Engine.allCases)
    func muted(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            try await fixture.service.subscribe(try TestBrowser().description, language: "en", by: ada)
            _ = try await fixture.service.changeSettings(by: Change(actor: ada)) { $0.muted = [.itemTooFar] }
            try await fixture.post(fixture.notice(for: ada))
            try await fixture.post(fixture.notice(.levelReached, for: ada))
            _ = try await fixture.sendDue()
            #expect(fixture.transport.requests.count == 1)
            #expect(try await fixture.service.feed(of: ada, after: nil, limit: 9).items.count == 2)
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let answer: Result<PushReply, PushTransportFailure>
        let isTriedAgain: Bool
        var isGone = false
        var testDescription: String { "\(answer)" }
    }

    static let refusals = [
        Refusal(answer: .success(PushReply(status: 201)), isTriedAgain: false),
        Refusal(answer: .success(PushReply(status: 404)), isTriedAgain: false, isGone: true),
        Refusal(answer: .success(PushReply(status: 410)), isTriedAgain: false, isGone: true),
        Refusal(answer: .success(PushReply(status: 302)), isTriedAgain: false),
        Refusal(answer: .success(PushReply(status: 400)), isTriedAgain: false),
        Refusal(answer: .success(PushReply(status: 403)), isTriedAgain: false),
        Refusal(answer: .success(PushReply(status: 413)), isTriedAgain: false),
        Refusal(answer: .success(PushReply(status: 429)), isTriedAgain: true),
        Refusal(answer: .success(PushReply(status: 500)), isTriedAgain: true),
        Refusal(answer: .success(PushReply(status: 503)), isTriedAgain: true),
        Refusal(answer: .failure(.unreachable("timeout")), isTriedAgain: true),
        Refusal(answer: .failure(.notPublic), isTriedAgain: false),
    ]

    @Test("Each response leads to its outcome", arguments: refusals)
    func answers(_ refusal: Refusal) async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            try await fixture.service.subscribe(try TestBrowser().description, language: "en", by: ada)
            fixture.transport.answer(refusal.answer)
            try await fixture.post(fixture.notice(for: ada))
            let next = try await fixture.sendDue()
            #expect((next != nil) == refusal.isTriedAgain)
            #expect(try await fixture.service.settings(of: ada).isOnHere == !refusal.isGone)
            #expect(try await fixture.database.count("push_subscription") == (refusal.isGone ? 0 : 1))
            if refusal.isGone { #expect(try await fixture.waitingJobs() == 0) }
            if let next {
                let wait = next.seconds(since: fixture.clock.now)
                let whole = Double(Limits.pushRetrySeconds)
                #expect(wait >= whole / 2 && wait <= whole)
                // Not before that time.
                _ = try await fixture.sendDue()
                #expect(fixture.transport.requests.count == 1)
                fixture.clock.set(next)
                #expect(try await fixture.sendDue() == nil)
                #expect(fixture.transport.requests.count == 2)
            }
        }
    }

    @Test(
        "Retry-After postpones the next attempt",
        arguments: [("120", 120.0), ("Sun, 01 Mar 2026 12:05:00 GMT", 300.0), ("soon", 7.5), ("-5", 7.5)])
    func retryAfter(text: String, seconds: Double) async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            try await fixture.service.subscribe(try TestBrowser().description, language: "en", by: ada)
            fixture.transport.answer(.success(PushReply(status: 429, retryAfter: text)))
            try await fixture.post(fixture.notice(for: ada))
            let next = try #require(try await fixture.sendDue())
            #expect(next.seconds(since: fixture.clock.now) >= seconds)
            #expect(next.seconds(since: fixture.clock.now) <= max(seconds, 15))
        }
    }

    @Test("Attempts back off and end when the message expires", arguments: Engine.allCases)
    func backOff(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            try await fixture.service.subscribe(try TestBrowser().description, language: "en", by: ada)
            for _ in 0..<50 { fixture.transport.answer(.success(PushReply(status: 503))) }
            let began = fixture.clock.now
            try await fixture.post(fixture.notice(for: ada))
            var waits: [Double] = []
            while let next = try await fixture.sendDue() {
                waits.append(next.seconds(since: fixture.clock.now))
                fixture.clock.set(next)
            }
            #expect(waits.count <= Limits.pushAttempts)
            #expect(waits.count >= 8)
            #expect(fixture.clock.now.seconds(since: began) <= Double(Limits.pushWarningSeconds))
            #expect(waits.max() ?? 0 <= Double(Limits.pushRetryMaximumSeconds))
            for (index, wait) in waits.enumerated() {
                let whole = min(15 * pow(2, Double(index)), 3_600)
                #expect(wait >= whole / 2 && wait <= whole)
            }
            #expect(try await fixture.waitingJobs() == 0)
            #expect(try await fixture.service.settings(of: ada).isOnHere)
        }
    }

    @Test("Servers that share a database send each message once", arguments: Engine.allCases)
    func severalSenders(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            try await fixture.service.subscribe(try TestBrowser().description, language: "en", by: ada)
            let notices = (0..<20).map { fixture.notice(.choreAssigned, for: ada, subject: "\($0)") }
            try await fixture.database.write { tx in for notice in notices { try notice.post(in: tx) } }
            let neighbour = try NotificationsFixture(fixture.database, clock: fixture.clock, seed: 6)
            try await withThrowingTaskGroup { group in
                group.addTask { _ = try await fixture.sendDue() }
                group.addTask { _ = try await neighbour.sendDue() }
                try await group.waitForAll()
            }
            // A sender skips the messages that the other one is leasing at that moment.
            #expect(try await fixture.sendDue() == nil)
            let requests = fixture.transport.requests + neighbour.transport.requests
            let ids = try requests.map { try TestBrowser().message($0).id }
            #expect(ids.sorted() == notices.map(\.id.description).sorted())
        }
    }

    @Test("A message that a push service refuses for good is a dead job without its contents")
    func deadJob() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            try await fixture.service.subscribe(try TestBrowser().description, language: "en", by: ada)
            fixture.transport.answer(.success(PushReply(status: 400)))
            let notice = fixture.notice(for: ada)
            try await fixture.post(notice)
            _ = try await fixture.sendDue()
            let dead = DeadJobService(
                database: fixture.database, queues: fixture.service.sender.queues, clock: fixture.clock)
            let job = try #require(try await dead.list(lane: "push").first)
            #expect(job.lastError == "The push service responded with status 400")
            #expect(job.subject == "fcm.googleapis.com")
            try await dead.retry(job.id)
            #expect(try await fixture.sendDue() == nil)
            #expect(fixture.transport.requests.count == 2)
            // The notification was deleted: there is nothing to send any more.
            fixture.transport.answer(.success(PushReply(status: 400)))
            let other = fixture.notice(for: ada, resource: "/tracking/items/2")
            try await fixture.post(other)
            try await fixture.database.write { tx in
                try Notice.withdraw(about: other.resource, from: ada.person, at: fixture.clock.now, in: tx)
            }
            #expect(try await fixture.sendDue() == nil)
            #expect(fixture.transport.requests.count == 2)
        }
    }

    @Test("Messages that an earlier version queued are sent once their lease has ended", arguments: Engine.allCases)
    func earlierVersion(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            try await fixture.service.subscribe(try TestBrowser().description, language: "en", by: ada)
            let now = fixture.clock.now
            let notices = (0..<(Limits.movedPushMessagesPerStep + 5)).map { number in
                fixture.notice(for: ada, subject: "\(number)")
            }
            try await fixture.database.write { tx in
                for (number, notice) in notices.enumerated() {
                    try notice.post(in: tx)
                    try tx.execute(
                        """
                        INSERT INTO push_delivery (notice_id, subscription_id, attempts, next_at, expires_at)
                        SELECT \(notice.id), id, \(number == 0 ? 1 : 0),
                            \(number == 0 ? now.adding(seconds: 60) : now), \(now.adding(seconds: 3_600))
                        FROM push_subscription
                        """
                    )
                }
                // On PostgreSQL, the job of a notification is inserted later.
                try tx.useLaterRows()
                try tx.execute("DELETE FROM job")
            }
            await fixture.service.sender.moveEarlierMessages()
            #expect(try await fixture.sendDue() == nil)
            #expect(fixture.transport.requests.count == notices.count - 1)
            fixture.clock.advance(seconds: 60)
            await fixture.service.sender.moveEarlierMessages()
            #expect(try await fixture.sendDue() == nil)
            #expect(fixture.transport.requests.count == notices.count)
        }
    }

    @Test("The service sends what is posted while it runs, and stops on shutdown", arguments: Engine.allCases)
    func running(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            try await fixture.service.subscribe(try TestBrowser().description, language: "en", by: ada)
            let sending = Task { [service = fixture.service] in try await PushSenderService(service).run() }
            var arrivals = fixture.transport.arrivals.makeAsyncIterator()
            for number in 0..<3 {
                let notice = fixture.notice(.choreAssigned, for: ada, subject: "\(number)")
                try await fixture.post(notice)
                let request = try #require(await arrivals.next())
                #expect(try TestBrowser().message(request).id == notice.id.description)
            }
            sending.cancel()
            try await sending.value
        }
    }

    @Test("A subscription belongs to one session and is deleted with it", arguments: Engine.allCases)
    func sessions(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let ben = try await fixture.person()
            let browser = try TestBrowser()
            try await fixture.service.subscribe(browser.description, language: "en", by: ada)
            // The same browser, after another person signed in.
            try await fixture.service.subscribe(browser.description, language: "en", by: ben)
            #expect(try await !fixture.service.settings(of: ada).isOnHere)
            try await fixture.post(fixture.notice(for: ada))
            try await fixture.post(fixture.notice(for: ben))
            try await fixture.database.write { tx in
                try tx.execute("DELETE FROM session WHERE id = \(ben.session)")
            }
            #expect(try await fixture.sendDue() == nil)
            #expect(fixture.transport.requests.isEmpty)
            await #expect(throws: AppError.notFound) { try await fixture.service.unsubscribe(by: ben) }
        }
    }

    @Test("A subscription above the limit replaces the oldest", arguments: Engine.allCases)
    func tooManyDevices(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            var devices: [Actor] = []
            for number in 0...Limits.pushSubscriptionsPerPerson {
                fixture.clock.advance(seconds: 1)
                let device = try await fixture.device(of: ada)
                devices.append(device)
                try await fixture.service.subscribe(
                    try TestBrowser("\(number)").description, language: "en", by: device)
            }
            #expect(try await !fixture.service.settings(of: devices[0]).isOnHere)
            #expect(try await fixture.service.settings(of: devices[1]).isOnHere)
        }
    }

    @Test("A message fits into the size limit, whatever its text")
    func size() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let browser = try TestBrowser()
            try await fixture.service.subscribe(browser.description, language: "en", by: ada)
            let family = String(repeating: "👨‍👩‍👧‍👦", count: 50)
            try await fixture.post(
                fixture.notice(.packageAccepted, for: ada, subject: family, details: ["who": family]))
            _ = try await fixture.sendDue()
            let request = try #require(fixture.transport.requests.first)
            #expect(try browser.read(request.body).count <= Limits.pushMessageBytes)
            #expect(request.body.count <= 4_096)
        }
    }

    @Test("A test goes only to the requesting device and is rate-limited", arguments: Engine.allCases)
    func test(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let tablet = try await fixture.device(of: ada)
            await #expect(throws: AppError.self) { try await fixture.service.sendTest(by: ada) }
            try await fixture.service.subscribe(try TestBrowser("phone").description, language: "en", by: ada)
            try await fixture.service.subscribe(try TestBrowser("tablet").description, language: "en", by: tablet)
            for _ in 0..<Limits.pushTestMessages { try await fixture.service.sendTest(by: ada) }
            _ = try await fixture.sendDue()
            #expect(fixture.transport.requests.count == Limits.pushTestMessages)
            #expect(fixture.transport.requests.allSatisfy { $0.endpoint.hasSuffix("phone") })
            let refusal = await #expect(throws: AppError.self) { try await fixture.service.sendTest(by: ada) }
            #expect(refusal?.code == .throttled)
        }
    }
}
