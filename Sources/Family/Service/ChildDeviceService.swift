package import Accounts
package import Kernel
import Storage

/// The devices on which children are signed in.
package struct ChildDeviceService: Sendable {
    let transactions: HouseholdTransactions
    let children: ChildReader
    let sessions: SessionService
    let clock: any WallClock

    /// Returns a page of the devices on which a child is signed in, the oldest sign-in first.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a sibling's; `invalid` at `after`.
    package func list(
        of child: PersonID, for actor: Actor, after: String?, limit: Int
    ) async throws -> ListPage<Session> {
        let request = try PageRequest<ID<Session>>(after: after, limit: limit)
        return try await transactions.read(for: actor) { tx, householdActor in
            try page(of: child, for: householdActor, request, in: tx)
        }
    }

    /// Returns a page of devices with the child.
    package func listWithChild(
        _ child: PersonID, for actor: Actor, after: String?, limit: Int
    ) async throws -> ChildEntries<Session> {
        let request = try PageRequest<ID<Session>>(after: after, limit: limit)
        return try await transactions.read(for: actor) { tx, householdActor in
            let page = try page(of: child, for: householdActor, request, in: tx)
            return ChildEntries(child: try children.child(child, for: householdActor, in: tx), page: page)
        }
    }

    private func page(
        of child: PersonID, for householdActor: HouseholdActor, _ request: PageRequest<ID<Session>>, in tx: Transaction
    ) throws -> ListPage<Session> {
        try householdActor.require(.seeDevices, with: child, in: tx)
        let found = try sessions.list(of: child, after: request.after, limit: request.rows, in: tx)
        return request.page(found, \.id)
    }

    /// Signs out one device of a child and ends the live streams of its open pages.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a sibling's.
    package func signOut(_ id: ID<Session>, of child: PersonID, by change: Change) async throws {
        let now = clock.now
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.removeDevice, with: child, in: tx)
                try sessions.end(id, of: child, now: now, in: tx)
                try FamilyEvents.publish(
                    "session", FamilyEvents.child(child), of: householdActor.household, to: .parentsAnd(child),
                    now: now, in: tx)
            }
        }
    }
}
