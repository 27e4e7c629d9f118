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
    let throttle = PicturePINStore.throttle

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

    /// Returns a child whose data a tablet shows.
    /// - Throws: `AppError`: `forbidden` for anyone but a paired tablet; `notFound` for a child of another household.
    package func child(_ id: PersonID, on actor: Actor) async throws -> TabletChild {
        try await database.read { tx in try child(id, on: actor, in: tx) }
    }

    /// Returns a child that makes a change on a tablet, after checking its pictures. All changes of children on tablets
    /// begin here.
    /// - Parameter pin: the pictures that were tapped, as ``PicturePIN`` reads them; needed if the child has a picture
    ///   PIN.
    /// - Throws: `AppError`: `forbidden` for anyone but a paired tablet; `notFound` for a child of another household;
    ///   `invalid` at `pin` without pictures, and for wrong ones, which are counted; `throttled` after
    ///   ``Limits/picturePINFailures`` wrong attempts.
    package func authenticate(_ id: PersonID, pin: String?, on actor: Actor) async throws -> TabletChild {
        let now = clock.now
        // Wrong attempts are counted in a transaction that is committed.
        let found = try await markingPIN {
            try await database.write { tx -> TabletChild? in
                let child = try child(id, on: actor, in: tx)
                guard child.hasPicturePIN else { return child }
                guard let pin = pin.flatMap(PicturePIN.init) else {
                    throw AppError(.invalid, .picturesMissing, field: "pin")
                }
                // Counted before the outcome is known, so that attempts at the same moment can't exceed the limit.
                let key = id.description
                try throttle.reserve(key, now: now, in: tx)
                guard try PicturePINStore.matches(pin, of: id, in: tx) else {
                    try throttle.settle(key, reservedAt: now, now: now, in: tx)
                    return nil
                }
                try throttle.release(key, reservedAt: now, now: now, in: tx)
                return child
            }
        }
        guard let found else { throw AppError(.invalid, .picturePINWrong, field: "pin") }
        return found
    }

    /// Adds the field to the error after too many wrong attempts.
    private func markingPIN<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as AppError where error.code == .throttled {
            let message = FamilyMessage.picturePINThrottled.text
            throw AppError(
                .throttled, message, fields: ["pin": message], retryAfterSeconds: error.retryAfterSeconds)
        }
    }

    private func child(_ id: PersonID, on actor: Actor, in tx: Transaction) throws -> TabletChild {
        try requireChild(id, of: try household(of: actor, in: tx), in: tx)
        guard let account = try accounts.accounts([id], in: tx)[id] else { throw AppError.notFound }
        return TabletChild(account: account, hasPicturePIN: try PicturePINStore.exists(of: id, in: tx))
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
