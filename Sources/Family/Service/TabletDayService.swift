package import Accounts
package import Kernel
import Ledger
import Storage

/// What a shared tablet shows, and the child that acts on it.
package struct TabletDayService: Sendable {
    let database: Database
    let today: TodayReader
    let accounts: AccountReader
    let clock: any WallClock
    let throttle = Throttle(
        scope: "picture-pin", limit: Limits.picturePINFailures, windowSeconds: Limits.picturePINFailureSeconds)

    /// Returns the day of all children.
    /// - Throws: `AppError.forbidden` for anyone but a paired tablet.
    package func day(for actor: Actor) async throws -> TabletDay {
        let now = clock.now
        return try await database.read { tx in
            let household = try household(of: actor, in: tx)
            let children = try HouseholdStore.page(
                of: household, .child, after: nil, limit: Limits.childrenPerHousehold, in: tx)
            return TabletDay(
                today: try today.today(of: children, household: household, now: now, in: tx),
                withPicturePIN: try PicturePINStore.children(of: household, in: tx))
        }
    }

    /// Returns the day of one child.
    /// - Throws: `AppError`: `forbidden` for anyone but a paired tablet; `notFound` for a child of another household.
    package func day(of child: PersonID, for actor: Actor) async throws -> TabletChildDay {
        let now = clock.now
        return try await database.read { tx in
            let household = try household(of: actor, in: tx)
            try requireChild(child, of: household, in: tx)
            let today = try today.today(of: [child], household: household, now: now, in: tx)
            guard let member = today.children.first else { throw AppError.notFound }
            return TabletChildDay(
                child: member, today: today, hasPicturePIN: try PicturePINStore.exists(of: child, in: tx))
        }
    }

    /// Returns the account of a child whose data a tablet shows.
    /// - Throws: `AppError`: `forbidden` for anyone but a paired tablet; `notFound` for a child of another household.
    package func account(of child: PersonID, on actor: Actor) async throws -> Account {
        try await database.read { tx in
            try requireChild(child, of: try household(of: actor, in: tx), in: tx)
            guard let account = try accounts.accounts([child], in: tx)[child] else { throw AppError.notFound }
            return account
        }
    }

    /// Returns the account of a child for a change that it makes on a tablet. All changes of children on tablets
    /// begin here.
    /// - Parameter pin: the pictures that were tapped, as ``PicturePIN`` reads them; needed if the child has a picture
    ///   PIN.
    /// - Throws: `AppError`: `forbidden` for anyone but a paired tablet; `notFound` for a child of another household;
    ///   `invalid` at `pin` for wrong pictures; `throttled` after ``Limits/picturePINFailures`` wrong attempts.
    package func child(_ id: PersonID, pin: String?, on actor: Actor) async throws -> Account {
        let now = clock.now
        // Wrong attempts are counted in a transaction that is committed.
        let account = try await database.write { tx -> Account? in
            let household = try household(of: actor, in: tx)
            try requireChild(id, of: household, in: tx)
            guard let account = try accounts.accounts([id], in: tx)[id] else { throw AppError.notFound }
            guard try PicturePINStore.exists(of: id, in: tx) else { return account }
            try throttle.check(id.description, now: now, in: tx)
            if try PicturePINStore.matches(pin.flatMap(PicturePIN.init), of: id, in: tx) { return account }
            try throttle.fail(id.description, now: now, in: tx)
            return nil
        }
        guard let account else { throw AppError(.invalid, .picturePINWrong, field: "pin") }
        return account
    }

    private func household(of actor: Actor, in tx: Transaction) throws -> ID<Household> {
        guard actor.role == .sharedDevice,
            let tablet = try TabletStore.find(actor.person.cast(to: Tablet.self), in: tx)
        else { throw AppError(.forbidden, .tabletsOnly) }
        return tablet.household
    }

    private func requireChild(_ id: PersonID, of household: ID<Household>, in tx: Transaction) throws {
        guard let member = try HouseholdStore.member(id, in: tx), member.household == household,
            member.role == .child, member.deletedAt == nil
        else { throw AppError.notFound }
    }
}
