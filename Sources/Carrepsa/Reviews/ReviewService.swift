package import Accounts
package import Kernel
import Ledger
import Notifications
import Storage

/// `/carrepsa/packages/{id}/reviews`: owner and carrier of a finished delivery review each other. A review is hidden
/// until both have written or ``Limits/reviewSeconds`` have passed, and can't be written after that.
package struct ReviewService: Sendable {
    let database: Database
    let ledger: Ledger
    let clock: any WallClock
    let random: any RandomSource

    /// Returns the reviews of a delivery as the actor sees them; `nil` unless the actor is owner or carrier of a
    /// delivery that was completed.
    package func reviews(of id: ID<Package>, for actor: Actor) async throws -> PackageReviews? {
        let now = clock.now
        return try await database.read { tx in
            guard let package = try PackageStore.find(id, in: tx) else { return nil }
            return try Self.reviews(of: package, for: actor.person, now: now, in: tx)
        }
    }

    /// Returns what people say about the actor.
    package func reputation(of actor: Actor) async throws -> Reputation {
        let now = clock.now
        return try await database.read { tx in try Self.reputation(of: actor.person, now: now, in: tx) }
    }

    static func reviews(
        of package: StoredPackage, for person: PersonID, now: Instant, in tx: Transaction
    ) throws -> PackageReviews? {
        let role = package.role(of: person)
        guard package.state == .delivered, let finished = package.finishedAt, role == .owner || role == .carrier else {
            return nil
        }
        let endsAt = finished.adding(seconds: Limits.reviewSeconds)
        let all = try ReviewStore.all(of: package.id, in: tx)
        let own = all.first { $0.role == role }
        let other = all.first { $0.role != role }.flatMap { now >= endsAt || own != nil ? $0 : nil }
        return PackageReviews(
            own: own, other: other,
            canWrite: own == nil && now < endsAt && package.owner != nil && package.carrier != nil,
            canReply: other.map { $0.repliedAt == nil && $0.author != nil } ?? false, endsAt: endsAt)
    }

    /// Writes a review of the other person. It can't be changed.
    /// - Throws: `AppError`: `notFound` unless the actor is owner or carrier; `conflict` before the delivery, after the
    ///   time, and for a second review; `invalid` at `text`.
    package func write(
        _ input: PackageReviewInput, about id: ID<Package>, by change: Change
    ) async throws -> PackageReview {
        let now = clock.now
        let review = ID<PackageReview>(at: now, random: random)
        let salt = random.bytes(Limits.recordSaltBytes)
        let person = change.actor.person
        return try await database.write { [ledger] tx in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: review.description) {
                let text = try input.validated()
                // Locked, so that two reviews at once find each other.
                let package = try Self.lock(id, for: person, in: tx)
                guard let reviews = try Self.reviews(of: package, for: person, now: now, in: tx) else {
                    throw AppError(.conflict, .reviewNotPossible)
                }
                guard reviews.own == nil else { throw AppError(.conflict, .reviewWritten) }
                guard reviews.canWrite else { throw AppError(.conflict, .reviewTooLate) }
                let role = package.role(of: person)
                let subject = role == .owner ? package.carrier : package.owner
                let written = PackageReview(
                    id: review, package: id, role: role, author: person, authorName: nil, at: now,
                    words: input.words, text: text, reply: nil, repliedAt: nil)
                let digest = SHA256Text.digest(of: DeletableText.bytes(salt, text))
                try ReviewStore.insert(written, about: subject, salt: salt, digest: digest, in: tx)
                try EvidenceLedger(ledger: ledger).seal(
                    ReviewEvidence.record(written, digest: digest), now: now, in: tx)
                // The notification of the other review asks for this one.
                try Notice.withdraw(
                    .packageReview, about: CarrepsaEvents.path(id), from: person, at: now, in: tx)
                let isFirst = try ReviewStore.all(of: id, in: tx).count == 1
                try Self.notify(
                    isFirst ? "written" : "shown", package, to: subject, by: person, key: review.description, now: now,
                    in: tx)
                try Self.publish(package, now: now, in: tx)
            }
            guard let id = ID<PackageReview>(once.resource), let written = try ReviewStore.one(id, in: tx) else {
                throw AppError.notFound
            }
            return written
        }
    }

    /// Replies once to the shown review about the actor.
    /// - Throws: `AppError`: `notFound` unless the actor is owner or carrier; `conflict` without a shown review and for
    ///   a second reply; `invalid` at `reply`.
    package func reply(_ typed: String?, about id: ID<Package>, by change: Change) async throws -> PackageReview {
        let now = clock.now
        let salt = random.bytes(Limits.recordSaltBytes)
        let person = change.actor.person
        return try await database.write { [ledger] tx in
            _ = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                var problems = FieldErrors<CarrepsaMessage>()
                let text = MessageText.read(typed, "reply", &problems)
                if text == nil { problems.refuse("reply", .replyMissing) }
                try problems.finish()
                let package = try Self.lock(id, for: person, in: tx)
                guard let text, let review = try Self.reviews(of: package, for: person, now: now, in: tx)?.other else {
                    throw AppError(.conflict, .reviewNotPossible)
                }
                guard review.repliedAt == nil else { throw AppError(.conflict, .replyWritten) }
                guard review.author != nil else { throw AppError(.conflict, .reviewNotPossible) }
                let digest = SHA256Text.digest(of: DeletableText.bytes(salt, text))
                try ReviewStore.insertReply(
                    text, to: review, by: person, salt: salt, digest: digest, now: now, in: tx)
                try EvidenceLedger(ledger: ledger).seal(
                    ReviewReplyEvidence.record(
                        id, review: review.id.description, at: now.millisecondsSince1970, digest: digest),
                    now: now, in: tx)
                try Self.notify(
                    "replied", package, to: review.author, by: person, key: review.id.description, now: now, in: tx)
                try Self.publish(package, now: now, in: tx)
            }
            guard let package = try PackageStore.find(id, in: tx),
                let review = try Self.reviews(of: package, for: person, now: now, in: tx)?.other
            else { throw AppError.notFound }
            return review
        }
    }

    /// Returns what people say about a person.
    static func reputation(of person: PersonID, now: Instant, in tx: Transaction) throws -> Reputation {
        let (carried, sent) = try ReviewStore.deliveries(of: person, in: tx)
        return Reputation(
            carried: carried, sent: sent, words: try ReviewStore.words(of: person, now: now, in: tx),
            reviews: try ReviewStore.shown(of: person, limit: Limits.reviewsShown, now: now, in: tx))
    }

    private static func lock(_ id: ID<Package>, for person: PersonID, in tx: Transaction) throws -> StoredPackage {
        guard let package = try PackageStore.lock(id, in: tx) else { throw AppError.notFound }
        let role = package.role(of: person)
        guard role == .owner || role == .carrier else { throw AppError.notFound }
        return package
    }

    private static func publish(_ package: StoredPackage, now: Instant, in tx: Transaction) throws {
        for person in [package.owner, package.carrier].compactMap(\.self) {
            try tx.publish(CarrepsaEvents.package(package, to: person, now: now))
        }
    }

    private static func notify(
        _ event: String, _ package: StoredPackage, to person: PersonID?, by author: PersonID, key: String,
        now: Instant, in tx: Transaction
    ) throws {
        guard let person else { return }
        try Notice(
            id: ID(about: ["review", event, key, person.description], at: now), person: person, kind: .packageReview,
            resource: CarrepsaEvents.path(package.id), subject: package.title, details: ["event": event],
            people: ["who": try PeopleStore.named(author, in: tx)], at: now
        ).post(in: tx)
    }
}
