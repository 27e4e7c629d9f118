import Accounts
import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@testable import Notifications

@Suite("The feed")
struct FeedTests {
    @Test("A notification with the same id is posted once", arguments: Engine.allCases)
    func once(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let stranger = try await fixture.person()
            let notice = fixture.notice(for: ada)
            try await fixture.post(notice)
            try await fixture.post(notice)
            #expect(try await fixture.service.feed(of: ada, after: nil, limit: 10).items.map(\.notice) == [notice])
            #expect(try await fixture.service.unreadCount(of: ada) == 1)
            #expect(try await fixture.events(of: ada) == 1)
            #expect(try await fixture.service.feed(of: stranger, after: nil, limit: 10).items.isEmpty)
        }
    }

    @Test("Posting to a deleted account does nothing", arguments: Engine.allCases)
    func gone(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let deletedAccount = Actor(
                person: PersonID(at: fixture.clock.now, random: fixture.random),
                session: ID(at: fixture.clock.now, random: fixture.random), role: .adult)
            try await fixture.post(fixture.notice(for: deletedAccount))
            #expect(try await fixture.service.feed(of: deletedAccount, after: nil, limit: 10).items.isEmpty)
            #expect(try await fixture.events(of: deletedAccount) == 0)
        }
    }

    @Test("The name of a deleted person disappears from the feeds of others", arguments: Engine.allCases)
    func deletedPerson(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let ben = try await fixture.person()
            let mia = try await fixture.person()
            func notice(_ kind: NoticeKind, _ subject: String, _ people: [String: NamedPerson?]) -> Notice {
                Notice(
                    id: ID(at: fixture.clock.now, random: fixture.random), person: ada.person, kind: kind,
                    resource: "/x",
                    subject: subject, details: ["points": "1"], people: people, at: fixture.clock.now)
            }
            let named = NamedPerson(ben.person, "Ben Stone")
            let other = NamedPerson(mia.person, "Mia")
            let notices = [
                notice(.packageAccepted, "Lamp", ["who": named, "child": nil]),
                notice(.personCrossed, "Ben Stone", ["subject": named]),
                notice(.choreTurn, "Dishes", ["who": named, "child": other]),
                notice(.packagePickedUp, "Ben Stone", ["who": other]),
            ]
            for notice in notices { try await fixture.post(notice) }
            // A repeated one.
            try await fixture.post(notices[0])
            try await fixture.database.write { tx in try fixture.service.dataHandler.erase(ben.person, in: tx) }
            let entries = try await fixture.service.feed(of: ada, after: nil, limit: 10).items.map(\.notice)
            let left = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
            #expect(notices.map { left[$0.id]?.subject } == ["Lamp", "", "Dishes", "Ben Stone"])
            #expect(notices.map { left[$0.id]?.details["who"] } == ["", nil, "", "Mia"])
            #expect(left[notices[2].id]?.details == ["who": "", "child": "Mia", "points": "1"])
            let texts = NotificationTextBuilder(Translator.english)
            #expect(left[notices[0].id].map { texts.text(of: $0).body } == "Former member will carry “Lamp”.")
            #expect(try await fixture.database.count("notice_person") == 2)
            try await fixture.database.write { tx in try fixture.service.dataHandler.erase(ada.person, in: tx) }
            #expect(try await fixture.database.count("notice_person") == 0)
        }
    }

    @Test("A notification that counts others has the names of the newest one", arguments: Engine.allCases)
    func countedNames(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let people = [try await fixture.person(), try await fixture.person()]
            // One more than the kind's limit of a day, each about another matter.
            let limit = NoticeKind.packageReview.floodRule.perDay
            for number in 0...limit {
                let index = number == limit ? 1 : 0
                let named = NamedPerson(people[index].person, ["Ben", "Mia"][index])
                let notice = Notice(
                    id: ID(at: fixture.clock.now, random: fixture.random), person: ada.person, kind: .packageReview,
                    resource: "/x/\(number)", subject: "Lamp", people: ["who": named], at: fixture.clock.now)
                try await fixture.post(notice)
            }
            func names() async throws -> [String: Int] {
                let entries = try await fixture.service.feed(of: ada, after: nil, limit: 100).items
                return entries.reduce(into: [:]) { $0[$1.notice.details["who"] ?? "none", default: 0] += 1 }
            }
            #expect(try await names() == ["Ben": limit - 1, "Mia": 1])
            try await fixture.database.write { tx in
                try fixture.service.dataHandler.erase(people[0].person, in: tx)
            }
            #expect(try await names() == ["": limit - 1, "Mia": 1])
            try await fixture.database.write { tx in
                try fixture.service.dataHandler.erase(people[1].person, in: tx)
            }
            #expect(try await names() == ["": limit])
        }
    }

    @Test("Pages are newest first and have no gaps", arguments: Engine.allCases)
    func pages(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            var posted: [ID<Notice>] = []
            for number in 0..<7 {
                // Some have the same time; then the id determines the order.
                if number % 3 == 0 { fixture.clock.advance(milliseconds: 1) }
                let notice = fixture.notice(for: ada, subject: "\(number)")
                posted.append(notice.id)
                try await fixture.post(notice)
            }
            var read: [FeedEntry] = []
            var after: String?
            repeat {
                let page = try await fixture.service.feed(of: ada, after: after, limit: 2)
                read += page.items
                after = page.next
            } while after != nil
            #expect(Set(read.map(\.notice.id)) == Set(posted))
            #expect(read.count == 7)
            let order = read.map(\.notice)
            #expect(order == order.sorted { ($0.at, $0.id) > ($1.at, $1.id) })
            await #expect(throws: AppError.self) {
                try await fixture.service.feed(of: ada, after: "nowhere", limit: 2)
            }
        }
    }

    @Test("Housekeeping deletes the oldest notifications above the limit", arguments: Engine.allCases)
    func bounded(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let notices = (0..<Limits.noticesPerPerson + 3).map { number in
                fixture.clock.advance(milliseconds: 1)
                // Two kinds, because each has a limit for a day.
                return fixture.notice(
                    number.isMultiple(of: 2) ? .itemTooFar : .itemMoved, for: ada, subject: "\(number)")
            }
            try await fixture.database.write { tx in for notice in notices { try notice.post(in: tx) } }
            // Posting doesn't trim, because it would hold the caller's other locks longer.
            #expect(try await fixture.service.unreadCount(of: ada) == Limits.noticesPerPerson + 3)
            fixture.clock.advance(seconds: Limits.feedTrimAgeSeconds + 1)
            try await fixture.service.housekeeping()
            let count = try await fixture.service.unreadCount(of: ada)
            #expect(count == Limits.noticesPerPerson)
            let newest = try await fixture.service.feed(of: ada, after: nil, limit: 1).items.first
            #expect(newest?.notice == notices.last)
        }
    }

    @Test("A full feed accepts a notification of a node with a slow clock", arguments: Engine.allCases)
    func slowClock(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            try await fixture.service.subscribe(try TestBrowser().description, language: "en", by: ada)
            let late = fixture.notice(for: ada, subject: "late")
            fixture.clock.advance(seconds: 20)
            let notices = (0..<Limits.noticesPerPerson + 3).map { number in
                fixture.clock.advance(milliseconds: 1)
                // Two kinds, because each has a limit for a day.
                return fixture.notice(
                    number.isMultiple(of: 2) ? .itemTooFar : .itemMoved, for: ada, subject: "\(number)")
            }
            try await fixture.database.write { tx in for notice in notices { try notice.post(in: tx) } }
            try await fixture.service.housekeeping()
            try await fixture.post(late)
            try await fixture.service.housekeeping()
            let count = try await fixture.service.unreadCount(of: ada)
            #expect(count == Limits.noticesPerPerson + 4)
            fixture.clock.advance(seconds: Limits.feedTrimAgeSeconds * 2)
            try await fixture.service.housekeeping()
            #expect(try await fixture.service.unreadCount(of: ada) == Limits.noticesPerPerson)
        }
    }

    @Test("One notification, or all that were seen, can be marked as read", arguments: Engine.allCases)
    func reading(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let ben = try await fixture.person()
            let first = fixture.notice(for: ada)
            try await fixture.post(first)
            fixture.clock.advance(seconds: 1)
            let second = fixture.notice(for: ada)
            try await fixture.post(second)
            await #expect(throws: AppError.notFound) { try await fixture.service.markRead(first.id, by: ben) }
            try await fixture.service.markRead(first.id, by: ada)
            #expect(try await fixture.service.unreadCount(of: ada) == 1)
            fixture.clock.advance(seconds: 1)
            try await fixture.post(fixture.notice(for: ada))
            try await fixture.service.markRead(nil, until: second.at, by: ada)
            #expect(try await fixture.service.unreadCount(of: ada) == 1)
            try await fixture.service.markRead(nil, by: ada)
            let items = try await fixture.service.feed(of: ada, after: nil, limit: 9).items
            #expect(items.allSatisfy { $0.readAt != nil })
            // All were read already, so there is no event.
            let events = try await fixture.events(of: ada)
            try await fixture.service.markRead(nil, by: ada)
            #expect(try await fixture.events(of: ada) == events)
        }
    }

    @Test("The export contains the feed but no endpoints; erasure deletes everything", arguments: Engine.allCases)
    func leaving(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            try await fixture.service.subscribe(try TestBrowser("secret-token").description, language: "en", by: ada)
            try await fixture.post(fixture.notice(for: ada))
            let files = try await fixture.database.read { tx in
                try fixture.service.dataHandler.export(ada.person, in: tx)
            }
            #expect(files.map(\.path) == ["notifications.json"])
            let text = String(decoding: files.first?.contents ?? [], as: UTF8.self)
            #expect(text.contains("Keys") && text.contains("fcm.googleapis.com"))
            #expect(!text.contains("secret-token"))
            try await fixture.database.write { tx in try fixture.service.dataHandler.erase(ada.person, in: tx) }
            #expect(try await fixture.service.feed(of: ada, after: nil, limit: 9).items.isEmpty)
            #expect(try await fixture.sendDue() == nil)
            #expect(fixture.transport.requests.isEmpty)
        }
    }
}
