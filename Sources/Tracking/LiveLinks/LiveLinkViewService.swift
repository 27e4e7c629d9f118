import Accounts
package import Kernel
import Notifications
import Storage

/// `/live/{secret}`: what the recipient of a live link sees, without an account.
package struct LiveLinkViewService: Sendable {
    let database: Database
    let hub: LiveLinkHub
    let clock: any WallClock

    private var lookup: SecretLookup { SecretLookup(scope: "live-secret", database: database, clock: clock) }

    /// Returns what the page of a link shows.
    /// - Throws: `AppError`: `notFound` for a link that is unknown, expired, revoked or ended by a meeting; `throttled`
    ///   after too many of these from the client's network.
    package func view(_ secret: String, clientAddress: String) async throws -> LiveLinkView {
        let now = clock.now
        return try await lookup.find(secret, clientAddress: clientAddress) { hash, tx in
            guard let link = try LiveLinkStore.open(ofHash: hash, now: now, in: tx) else { return nil }
            return LiveLinkView(
                link: link, name: link.showsName ? try Self.firstName(of: link.owner, in: tx) : nil,
                position: try LiveLinkStore.position(of: link, in: tx))
        }
    }

    /// Opens the stream of a link.
    /// - Throws: The errors of ``view(_:clientAddress:)``; `throttled` when the link or the network has too many open
    ///   pages; `unavailable`.
    package func join(_ secret: String, clientAddress: String) async throws -> LiveLinkViewer {
        let link = try await view(secret, clientAddress: clientAddress).link
        return try await hub.join(link, network: ClientNetwork.key(clientAddress))
    }

    /// Compares the recipient's position with the shared one, and ends a link *until we meet* when both are near. The
    /// recipient's position isn't stored.
    /// - Returns: Whether they have met.
    /// - Throws: The errors of ``view(_:clientAddress:)``; `conflict` for a link that doesn't end by a meeting.
    package func meet(
        _ secret: String, at recipient: Coordinate, accuracyMetres: Double?, clientAddress: String
    ) async throws -> Bool {
        let now = clock.now
        let view = try await view(secret, clientAddress: clientAddress)
        guard view.link.untilMet else { throw AppError(.conflict, .noMeeting) }
        guard let shared = view.position,
            MeetingRule.haveMet(shared, recipient, accuracyMetres: accuracyMetres, now: now)
        else { return false }
        try await database.write { tx in
            let link = try LiveLinkStore.lock(view.link.id, in: tx)
            guard link.state(now: now) == .open else { return }
            try LiveLinkStore.end(link.id, as: .met, now: now, in: tx)
            try Notice(
                id: ID(about: [NoticeKind.liveLinkMet.rawValue, link.id.description], at: now), person: link.owner,
                kind: .liveLinkMet, resource: TrackingEvents.path(link.id), subject: "", at: now
            ).post(in: tx)
            try TrackingEvents.publish(link, now: now, in: tx)
        }
        return true
    }

    private static func firstName(of person: PersonID, in tx: Transaction) throws -> String? {
        let name: String? = try tx.row("SELECT name FROM account WHERE id = \(person)")?.get("name")
        return name?.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
}
