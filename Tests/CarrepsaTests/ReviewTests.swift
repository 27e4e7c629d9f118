import Accounts
import Kernel
import Ledger
import Notifications
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Reviews of deliveries")
struct ReviewTests {
    /// A delivery that Ben made for Ada.
    private struct Delivery {
        let package: ID<Package>
        let ada: Actor
        let ben: Actor

        init(_ fixture: CarrepsaFixture) async throws {
            ada = try await fixture.person("Ada")
            ben = try await fixture.person("Ben")
            package = try await fixture.travelling(by: ben, of: ada)
        }

        func finish(_ fixture: CarrepsaFixture) async throws {
            _ = try await fixture.carrepsa.handovers.confirmDelivery(package, code: nil, by: Change(actor: ada))
        }

        @discardableResult
        func review(
            _ fixture: CarrepsaFixture, _ words: Set<ReviewWord>, _ text: String? = nil, by actor: Actor
        ) async throws -> PackageReview {
            fixture.clock.advance(milliseconds: 1)
            return try await fixture.carrepsa.reviews.write(
                PackageReviewInput(words: words, text: text), about: package, by: Change(actor: actor))
        }
    }

    @Test("A review is hidden until both have written", arguments: Engine.allCases)
    func blind(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            try await delivery.finish(fixture)
            try await delivery.review(fixture, [.onTime, .friendly], "Great", by: delivery.ada)
            let reviews = fixture.carrepsa.reviews
            let before = try #require(try await reviews.reviews(of: delivery.package, for: delivery.ben))
            #expect(before.other == nil && before.own == nil && before.canWrite)
            let stranger = try await fixture.person("Cleo")
            let contacts = fixture.carrepsa.contacts
            #expect(try await contacts.person(delivery.ben.person, for: stranger).reputation.words[.onTime] == 0)
            try await delivery.review(fixture, [.careful], by: delivery.ben)
            let after = try #require(try await reviews.reviews(of: delivery.package, for: delivery.ben))
            #expect(after.other?.text == "Great" && after.own?.words == [.careful] && !after.canWrite)
            let shown = try await contacts.person(delivery.ben.person, for: stranger).reputation
            #expect(shown.words == [.onTime: 1, .careful: 0, .friendly: 1])
            #expect(shown.carried == 1 && shown.sent == 0)
            #expect(shown.reviews.map(\.authorName) == ["Ada"])
            let notices = try await fixture.notices().filter { $0.kind == NoticeKind.packageReview.rawValue }
            // The notification that asked Ben for his review is gone.
            #expect(notices.map(\.person) == [delivery.ada.person])
            #expect(notices.map { $0.details["event"] } == ["shown"])
        }
    }

    @Test("After 7 days the written reviews are shown, and no more are written", arguments: Engine.allCases)
    func deadline(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            try await delivery.finish(fixture)
            try await delivery.review(fixture, [.careful], by: delivery.ada)
            fixture.clock.advance(seconds: Limits.reviewSeconds - 2)
            let reviews = fixture.carrepsa.reviews
            #expect(try await reviews.reviews(of: delivery.package, for: delivery.ben)?.other == nil)
            fixture.clock.advance(seconds: 2)
            let shown = try #require(try await reviews.reviews(of: delivery.package, for: delivery.ben))
            #expect(shown.other?.words == [.careful] && !shown.canWrite)
            let error = await refusal { try await delivery.review(fixture, [.onTime], by: delivery.ben) }
            #expect(error?.message == CarrepsaMessage.reviewTooLate.text)
        }
    }

    @Test("Only a party reviews a finished delivery, once and with content", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let early = await refusal { try await delivery.review(fixture, [.onTime], by: delivery.ada) }
            #expect(early?.message == CarrepsaMessage.reviewNotPossible.text)
            try await delivery.finish(fixture)
            let empty = await refusal { try await delivery.review(fixture, [], " ", by: delivery.ada) }
            #expect(empty?.fields["text"] != nil)
            let cleo = try await fixture.person("Cleo")
            let strange = await refusal { try await delivery.review(fixture, [.onTime], by: cleo) }
            #expect(strange?.code == .notFound)
            try await delivery.review(fixture, [.onTime], by: delivery.ada)
            let second = await refusal { try await delivery.review(fixture, [.careful], by: delivery.ada) }
            #expect(second?.message == CarrepsaMessage.reviewWritten.text)
        }
    }

    @Test("The reviewed person replies once to a shown review", arguments: Engine.allCases)
    func reply(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            try await delivery.finish(fixture)
            try await delivery.review(fixture, [], "Too slow", by: delivery.ada)
            func reply() async -> AppError? {
                await refusal {
                    _ = try await fixture.carrepsa.reviews.reply(
                        "The train", about: delivery.package, by: Change(actor: delivery.ben))
                }
            }
            #expect(await reply()?.message == CarrepsaMessage.reviewNotPossible.text)
            try await delivery.review(fixture, [.friendly], by: delivery.ben)
            #expect(await reply() == nil)
            #expect(await reply()?.message == CarrepsaMessage.replyWritten.text)
            let cleo = try await fixture.person("Cleo")
            let shown = try await fixture.carrepsa.contacts.person(delivery.ben.person, for: cleo).reputation.reviews
            #expect(shown.map(\.reply) == ["The train"])
            let written = try await fixture.database.read { tx in
                try [delivery.ada, delivery.ben, cleo].map {
                    try ReviewStore.written(by: $0.person, after: nil, limit: 10, in: tx).count
                }
            }
            #expect(written == [1, 2, 0])
        }
    }

    @Test("The audit names a changed review or reply, and accepts a deleted account", arguments: Engine.allCases)
    func audit(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            try await delivery.finish(fixture)
            let review = try await delivery.review(fixture, [.onTime], "Great", by: delivery.ada)
            try await delivery.review(fixture, [.careful], by: delivery.ben)
            _ = try await fixture.carrepsa.reviews.reply(
                "Thanks", about: delivery.package, by: Change(actor: delivery.ben))
            func findings(after change: SQL) async throws -> [String] {
                try await fixture.database.write { tx in try tx.execute(change) }
                return try await fixture.carrepsa.evidenceAudit.findings().map { "\($0.table) \($0.column ?? "")" }
            }
            #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
            #expect(
                try await findings(after: "UPDATE carrepsa_review SET body = 'Great!' WHERE id = \(review.id)") == [
                    "carrepsa_review body"
                ])
            _ = try await findings(after: "UPDATE carrepsa_review SET body = 'Great' WHERE id = \(review.id)")
            #expect(
                try await findings(after: "UPDATE carrepsa_review SET on_time = 0 WHERE id = \(review.id)") == [
                    "carrepsa_review on_time"
                ])
            _ = try await findings(after: "UPDATE carrepsa_review SET on_time = 1 WHERE id = \(review.id)")
            #expect(
                try await findings(after: "UPDATE carrepsa_review_reply SET body = 'Thank'") == [
                    "carrepsa_review_reply body"
                ])
            _ = try await findings(after: "UPDATE carrepsa_review_reply SET body = 'Thanks'")
            try await fixture.delete(delivery.ada)
            #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
            let cleo = try await fixture.person("Cleo")
            let shown = try await fixture.carrepsa.contacts.person(delivery.ben.person, for: cleo).reputation
            #expect(shown.words[.onTime] == 1)
            #expect(shown.reviews.map(\.text) == [nil] && shown.reviews.map(\.authorName) == [nil])
        }
    }
}
