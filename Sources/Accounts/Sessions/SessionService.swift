package import Kernel
package import Storage

/// The devices on which people are signed in.
package struct SessionService: Sendable {
    let database: Database
    let events: AccountEvents
    let clock: any WallClock

    /// Returns the devices on which the person is signed in, oldest sign-in first.
    /// - Parameter after: `next` of the previous page.
    /// - Throws: ``AppError`` `invalid` with `fields.after` for a malformed cursor.
    package func list(
        _ actor: Actor, after: String?, limit: Int
    ) async throws -> ListPage<Session> {
        let request = try PageRequest<ID<Session>>(after: after, limit: limit)
        let found = try await database.read { tx in
            try list(of: actor.person, after: request.after, limit: request.rows, in: tx)
        }
        return request.page(found, \.id)
    }

    /// Signs out one device, which may be the one that sends the request.
    /// - Throws: ``AppError/notFound`` when the session isn't the person's.
    package func revoke(_ id: ID<Session>, by change: Change) async throws {
        let now = clock.now
        try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try end(id, of: change.actor.person, now: now, in: tx)
            }
        }
    }

    /// Ends the session of the actor.
    package func signOut(_ actor: Actor) async throws {
        let now = clock.now
        try await database.write { tx in
            if try SessionStore.delete(actor.session, of: actor.person, in: tx) {
                try events.publish(sessions: [actor.session], of: actor.person, now: now, in: tx)
            }
        }
    }

    /// Returns the open sessions of the person, oldest sign-in first.
    /// - Parameter after: the last session of the previous page.
    package func list(
        of person: PersonID, after: ID<Session>?, limit: Int, in tx: Transaction
    ) throws -> [Session] {
        try SessionStore.sessions(of: person, after: after?.description ?? "", limit: limit, in: tx)
    }

    /// Returns the number of devices on which the person is signed in.
    package func count(of person: PersonID, in tx: Transaction) throws -> Int {
        try SessionStore.count(of: person, in: tx)
    }

    /// Requires that the actor's session is still open, in the transaction of a change that gives access to another
    /// person. A request that was authenticated before the session ended may still be in progress.
    /// - Throws: ``AppError`` `unauthenticated` when the session has ended or is locked.
    package func requireOpen(of actor: Actor, in tx: Transaction) throws {
        guard try SessionStore.isOpen(actor.session, of: actor.person, in: tx) else {
            throw AppError(.unauthenticated, "Sign in again.")
        }
    }

    /// Signs out one device of the person and closes the live streams of its open pages.
    /// - Throws: ``AppError/notFound`` when the session isn't the person's.
    package func end(_ id: ID<Session>, of person: PersonID, now: Instant, in tx: Transaction) throws {
        guard try SessionStore.delete(id, of: person, in: tx) else { throw AppError.notFound }
        try events.publish(sessions: [id], of: person, now: now, in: tx)
    }

    /// Signs the person out on every device, revokes all access tokens, and closes the live streams of their open
    /// pages.
    package func endAll(of person: PersonID, now: Instant, in tx: Transaction) throws {
        try endAll(of: person, except: nil, now: now, in: tx)
    }

    /// Signs the person out on every device but one, and revokes all access tokens: an intruder may have
    /// created one.
    func endAll(of person: PersonID, except kept: ID<Session>?, now: Instant, in tx: Transaction) throws {
        let ended = try SessionStore.deleteAll(of: person, except: kept, in: tx)
        try AccessTokenStore.deleteAll(of: person, in: tx)
        try events.publish(sessions: ended, of: person, now: now, in: tx)
    }

    /// Signs out every person on every device, and revokes all access tokens.
    package func endAll(now: Instant, in tx: Transaction) throws {
        try AccessTokenStore.deleteAll(in: tx)
        for (id, person) in try SessionStore.deleteAll(in: tx) {
            try events.publish(sessions: [id], of: person, now: now, in: tx)
        }
    }
}

extension Actor {
    /// Locks the account, and requires that the session is still open. A new password at the same time either ends the
    /// session first, or revokes what this transaction stores.
    /// - Throws: ``AppError`` `unauthenticated` when the session has ended or is locked.
    package func lockOpenSession(in tx: Transaction) throws {
        _ = try AccountStore.requireLockedAccount(person, in: tx)
        guard try SessionStore.isOpen(session, of: person, in: tx) else {
            throw AppError(.unauthenticated, "Sign in again.")
        }
    }
}
