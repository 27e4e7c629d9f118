import Accounts
import Kernel
import Storage

@testable import Tracking

extension TrackingFixture {
    /// Creates an invitation, and returns the code of its link.
    func invite(to item: ID<Item>, _ access: ItemAccess, by actor: Actor) async throws -> String {
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
