import Accounts
package import Kernel
import Notifications
package import Pictures
import Storage

/// `/found`: what finders without an account see of an item, and what they write.
package struct FoundItemService: Sendable {
    let database: Database
    let finders: FinderService
    let secrets: SecretBox
    let clock: any WallClock
    let random: any RandomSource

    private var lookup: SecretLookup { SecretLookup(scope: "finder-secret", database: database, clock: clock) }

    /// Returns what the finder of an item may know.
    /// - Parameter clientAddress: The client's address, to which the rate limit applies.
    /// - Throws: `AppError`: `notFound` for every kind of invalid reference, with a message of its own for a label that
    ///   was replaced or whose item was deleted; `throttled`.
    package func found(_ reference: FinderReference, clientAddress: String) async throws -> FoundItem {
        let (tracker, item) = try await resolve(reference, clientAddress: clientAddress)
        let lost = try await database.read { tx in try item.flatMap { try Self.lostItem($0, in: tx) } }
        return FoundItem(tracker: tracker, lost: lost)
    }

    /// Returns the photo that finders of an item see, with its owner.
    /// - Throws: `AppError`: `notFound`, also without such a photo; `throttled`.
    package func picture(
        _ reference: FinderReference, clientAddress: String
    ) async throws -> (id: ID<Picture>, owner: PersonID) {
        let (_, item) = try await resolve(reference, clientAddress: clientAddress)
        guard let item, let lost = try await database.read({ tx in try Self.lostItem(item, in: tx) }),
            let picture = lost.pictureID
        else { throw AppError.notFound }
        return (picture, item.owner)
    }

    /// Stores a finder's words, and notifies the people of the item.
    /// - Parameter key: A random text of the finder's page: the same words that are sent twice with it are stored once.
    /// - Returns: The secret of the finder's own page.
    /// - Throws: `AppError`: `notFound`, also for a tracker's token whose item isn't reported lost, because that page
    ///   is for people who are followed; `invalid` at `message`; `throttled`.
    package func report(
        _ input: FinderReportInput, about reference: FinderReference, key: String, clientAddress: String
    ) async throws -> String {
        let now = clock.now
        let (message, place) = try input.checked()
        let (_, item) = try await resolve(reference, clientAddress: clientAddress)
        guard let item else { throw AppError.notFound }
        let secret = try secret(for: key, message, place, about: item.id)
        let report = FinderReport(
            id: ID(at: now, random: random), message: message, place: place,
            accuracyMetres: place == nil ? nil : input.accuracyMetres, reply: nil, repliedAt: nil, version: 1,
            createdAt: now
        )
        try await database.write { tx in
            // Holds the lock under which lost mode is turned off.
            let item = try ItemStore.lockServed(item.id, in: tx)
            guard try reference.isLabel || LostModeStore.find(item.id, in: tx) != nil else { throw AppError.notFound }
            guard try FinderReportStore.report(ofHash: Token.hash(secret), in: tx) == nil else { return }
            try Self.charge(item.id, clientAddress, now: now, in: tx)
            guard try FinderReportStore.insert(report, hash: Token.hash(secret), of: item.id, in: tx) else {
                return
            }
            for person in try ItemAudience.people(of: item, isUrgent: true, in: tx) {
                try Self.notification(about: item.id, report, to: person).post(in: tx)
            }
            try TrackingEvents.publishCommand(of: item.id, owner: item.owner, now: now, in: tx)
        }
        return secret
    }

    /// Returns a finder's own words with the reply.
    /// - Throws: `AppError`: `notFound` for an unknown secret, and when the words were deleted; `throttled`.
    package func ownReport(_ secret: String, clientAddress: String) async throws -> FinderReport {
        try await lookup.find(secret, clientAddress: clientAddress) { hash, tx in
            try FinderReportStore.report(ofHash: hash, in: tx)
        }
    }

    // MARK: Parts

    private static func lostItem(_ item: Item, in tx: Transaction) throws -> LostItem? {
        guard let mode = try LostModeStore.find(item.id, in: tx) else { return nil }
        return LostItem(
            message: mode.message, contact: mode.contact, pictureID: mode.showsPhoto ? item.pictureID : nil)
    }

    private func resolve(
        _ reference: FinderReference, clientAddress: String
    ) async throws -> (tracker: FoundTracker?, item: Item?) {
        switch reference {
        case .token(let text):
            let tracker = try await finders.foundTracker(text, clientAddress: clientAddress)
            let item = try await database.read { tx in
                try TrackerStore.find(tracker.id, in: tx)?.itemID.flatMap { try ItemStore.served($0, in: tx) }
            }
            return (tracker, item)
        case .label(let secret):
            let target = try await lookup.find(secret, clientAddress: clientAddress) { hash, tx in
                try ItemLabelStore.target(ofHash: hash, in: tx)
            }
            switch target {
            case .item(let item): return (nil, item)
            case .replaced: throw AppError(.notFound, .labelReplaced)
            case .removed: throw AppError(.notFound, .labelRemoved)
            }
        }
    }

    /// The secret is derived from the key of the finder's page, so that every node finds the words that were sent
    /// before.
    private func secret(
        for key: String, _ message: String, _ place: Coordinate?, about item: ID<Item>
    ) throws -> String {
        guard !key.isEmpty else { return Token.make(byteCount: Limits.publicSecretBytes, random: random) }
        let mark = secrets.mark(
            Array("\(item)\n\(key)\n\(place.map { $0.plainText } ?? "")\n\(message)".utf8), purpose: "finder reports")
        return Base64URL.encoded(mark.prefix(Limits.publicSecretBytes))
    }

    private static func charge(
        _ item: ID<Item>, _ clientAddress: String, now: Instant, in tx: Transaction
    ) throws {
        try Throttle(
            scope: "finder-report", limit: Limits.finderReportsPerNetwork, windowSeconds: Limits.finderReportSeconds
        ).fail(ClientNetwork.key(clientAddress), now: now, in: tx)
        // A person who writes again and again must not keep out the next finder.
        let writers = Throttle(
            scope: "finder-report-writer", limit: Limits.finderReportsPerItem,
            windowSeconds: Limits.finderWriterSeconds)
        let writer = "\(item) \(ClientNetwork.wideKey(clientAddress))"
        let isNew = try writers.count(writer, now: now, in: tx) == 0
        try Throttle(
            scope: "finder-report-item",
            limit: Limits.finderReportsPerItem - (isNew ? 0 : Limits.finderReportsForNewNetworks),
            windowSeconds: Limits.finderReportSeconds
        ).fail(item.description, now: now, in: tx)
        let stored = try FinderReportStore.count(of: item, in: tx)
        guard stored < Limits.finderReportsStored - (isNew ? 0 : Limits.finderReportsStoredForNewNetworks) else {
            throw AppError(.conflict, .reportsFull)
        }
        if isNew { try writers.fail(writer, now: now, in: tx) }
    }

    /// The words and the place aren't part of the notification: a stranger's text must not appear on a locked screen,
    /// and deleting the report must delete them everywhere.
    private static func notification(
        about item: ID<Item>, _ report: FinderReport, to recipient: ItemAudience.Recipient
    ) -> Notice {
        let person = recipient.person
        return Notice(
            id: ID(
                about: [NoticeKind.itemFound.rawValue, report.id.description, person.description], at: report.createdAt),
            person: person, kind: .itemFound, resource: TrackingEvents.path(report.id, of: item),
            subject: recipient.itemName, at: report.createdAt
        )
    }
}
