import Accounts
import Kernel
import Storage

@testable import Tracking

extension TrackingFixture {
    /// Stores a proof that the person is present, with which they let another person manage an item.
    func prove(_ actor: Actor) async throws {
        let expiry = now.adding(seconds: Limits.proofSeconds)
        try await database.write { tx in
            try tx.execute(
                """
                INSERT INTO proof (session_id, act, expires_at)
                VALUES (\(actor.session), \(SensitiveAct.letManageItem.rawValue), \(expiry))
                ON CONFLICT (session_id, act) DO UPDATE SET expires_at = excluded.expires_at
                """)
        }
    }

    /// Creates an invitation, and returns the code of its link.
    func invite(to item: ID<Item>, _ access: ItemAccess, by actor: Actor) async throws -> String {
        if access == .manage { try await prove(actor) }
        let created = try await tracking.itemInvitations.create(to: item, access, by: Change(actor: actor))
        return created.url.split(separator: "/").last.map { String($0) } ?? ""
    }

    @discardableResult
    func accept(_ code: String, by actor: Actor) async throws -> ID<Item> {
        try await tracking.itemInvitations.accept(code, clientAddress: "192.0.2.7", by: Change(actor: actor))
    }

    /// Creates an account with which an item is shared.
    func member(
        _ access: ItemAccess, of item: ID<Item>, by actor: Actor, alertMode: AlertMode? = .everyTime
    ) async throws -> Actor {
        let number = try await count("account")
        let guest = try await person("Guest \(number)", alertMode: alertMode)
        try await accept(try await invite(to: item, access, by: actor), by: guest)
        return guest
    }
}
