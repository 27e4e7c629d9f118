import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Notifications

@Suite("Floods of notifications")
struct FloodTests {
    private struct State: Equatable {
        let rows: Int
        /// The notifications that the rows stand for.
        let counted: Int
        let pushes: Int
    }

    private func state(of kind: NoticeKind, _ fixture: NotificationsFixture) async throws -> State {
        try await fixture.database.read { tx in
            let row = try tx.row(
                """
                SELECT COUNT(*) AS n, COALESCE(SUM(further), 0) AS more FROM notice WHERE kind = \(kind.rawValue)
                """)
            let jobs: Int? = try tx.row("SELECT COUNT(*) AS n FROM job WHERE subject = \(kind.rawValue)")?.get("n")
            let rows: Int = try row?.get("n") ?? -1
            return State(rows: rows, counted: try rows + (row?.get("more") ?? -1), pushes: jobs ?? -1)
        }
    }

    private func subscribed(_ fixture: NotificationsFixture) async throws -> Actor {
        let actor = try await fixture.person()
        try await fixture.service.subscribe(try TestBrowser().description, language: "en", by: actor)
        return actor
    }

    @Test(
        "Each kind has a rule: a flood about one matter sends few messages and is counted",
        arguments: NoticeKind.allCases)
    func oneMatter(kind: NoticeKind) async throws {
        for engine in Engine.allCases {
            try await withFixture(engine) { fixture in
                let actor = try await subscribed(fixture)
                let most = kind.floodRule.perMatter
                for number in 0..<(most + 30) {
                    // What another person can write doesn't make another matter.
                    try await fixture.post(
                        fixture.notice(
                            kind, for: actor,
                            details: ["amount": "\(number)", "quote": "\(number)", "event": "written"]))
                    fixture.clock.advance(seconds: 1)
                }
                #expect(
                    try await state(of: kind, fixture) == State(rows: most, counted: most + 30, pushes: most))
                let newest = try #require(try await fixture.service.feed(of: actor, after: nil, limit: 1).items.first)
                #expect(newest.notice.details["amount"] == "\(most + 29)" && newest.notice.further == 30)
                #expect(newest.readAt == nil)
                fixture.clock.advance(seconds: Limits.noticeMatterSeconds)
                try await fixture.post(fixture.notice(kind, for: actor, details: ["event": "written"]))
                #expect(
                    try await state(of: kind, fixture)
                        == State(rows: most + 1, counted: most + 31, pushes: most + 1))
            }
        }
    }

    @Test("Events that keep coming send a message every hour", arguments: NoticeKind.allCases)
    func keptUp(kind: NoticeKind) async throws {
        for engine in Engine.allCases {
            try await withFixture(engine) { fixture in
                let actor = try await subscribed(fixture)
                // Ten times as many as the matter may send at once, 40 minutes apart.
                let most = kind.floodRule.perMatter
                for number in 0..<10 * most {
                    if number > 0, number.isMultiple(of: most) { fixture.clock.advance(seconds: 40 * 60) }
                    try await fixture.post(fixture.notice(kind, for: actor, details: ["event": "written"]))
                }
                let pushes = min(5 * most, kind.floodRule.perDay)
                #expect(
                    try await state(of: kind, fixture) == State(rows: pushes, counted: 10 * most, pushes: pushes))
            }
        }
    }

    @Test("What is withdrawn counts, and further events are in the feed without a message", arguments: Engine.allCases)
    func withdrawn(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let actor = try await subscribed(fixture)
            let most = NoticeKind.wishAdded.floodRule.perMatter
            for _ in 0..<most + 5 {
                let notice = fixture.notice(.wishAdded, for: actor)
                try await fixture.post(notice)
                let feed = try await fixture.service.feed(of: actor, after: nil, limit: 2).items
                #expect(feed.map(\.notice.id) == [notice.id])
                let now = fixture.clock.now
                try await fixture.database.write { tx in
                    try Notice.withdraw(about: notice.resource, from: actor.person, at: now, in: tx)
                }
                fixture.clock.advance(seconds: 1)
            }
            #expect(try await state(of: .wishAdded, fixture) == State(rows: 0, counted: 0, pushes: most))
            fixture.clock.advance(seconds: Limits.daySeconds)
            try await fixture.service.housekeeping()
            let left = try await fixture.database.read { try $0.row("SELECT 1 AS found FROM notice_withdrawn") }
            #expect(left == nil)
        }
    }

    @Test("Another name of an object makes no other matter", arguments: NoticeKind.allCases)
    func renamed(kind: NoticeKind) async throws {
        try await withFixture(.sqlite) { fixture in
            let actor = try await subscribed(fixture)
            let most = kind.floodRule.perMatter
            for number in 0..<most + 5 {
                try await fixture.post(
                    fixture.notice(kind, for: actor, subject: "Name \(number)", resource: "/tracking/items/1"))
            }
            #expect(try await state(of: kind, fixture).pushes == most)
        }
    }

    @Test("Each kind has a limit for a day, whatever the matters are", arguments: NoticeKind.allCases)
    func manyMatters(kind: NoticeKind) async throws {
        try await withFixture(.sqlite) { fixture in
            let actor = try await subscribed(fixture)
            let most = kind.floodRule.perDay
            let now = fixture.clock.now
            // Far enough apart that no two are about one matter.
            let notices = (0..<(most + 20)).map { number in
                Notice(
                    id: ID(at: now, random: fixture.random), person: actor.person, kind: kind,
                    resource: "/matters/\(number)", subject: "\(number)",
                    at: now.adding(seconds: kind == .packageOnTrip ? Int64(number) * 3_601 : Int64(number)))
            }
            let today = notices.filter { $0.at < now.adding(seconds: Limits.daySeconds) }
            try await fixture.database.write { tx in
                for notice in today { try notice.post(in: tx) }
            }
            #expect(try await state(of: kind, fixture) == State(rows: most, counted: today.count, pushes: most))
        }
    }

    @Test("The text says how many a notification stands for")
    func text() async throws {
        try await withFixture(.sqlite) { fixture in
            let actor = try await fixture.person()
            var notice = fixture.notice(.payoutRequest, for: actor, subject: "Ben", details: ["event": "withdrawn"])
            let texts = NotificationTextBuilder(.english)
            let alone = texts.text(of: notice).body
            notice.further = 3
            #expect(texts.text(of: notice).body == alone + " And 3 more.")
        }
    }

    @Test("A notification that is posted again is counted once", arguments: Engine.allCases)
    func repeated(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let actor = try await subscribed(fixture)
            let first = fixture.notice(.payoutRequest, for: actor)
            let second = fixture.notice(.payoutRequest, for: actor)
            for notice in [first, first, second, second, first] { try await fixture.post(notice) }
            #expect(try await state(of: .payoutRequest, fixture) == State(rows: 1, counted: 2, pushes: 1))
        }
    }

    @Test("A read notification that is counted again is unread", arguments: Engine.allCases)
    func unread(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let actor = try await fixture.person()
            try await fixture.post(fixture.notice(.payoutRequest, for: actor))
            try await fixture.service.markRead(nil, by: actor)
            #expect(try await fixture.service.unreadCount(of: actor) == 0)
            try await fixture.post(fixture.notice(.payoutRequest, for: actor))
            #expect(try await fixture.service.unreadCount(of: actor) == 1)
        }
    }
}
