package import Kernel
package import Storage

extension AccountService {
    /// Requires that the actor's session is still open, in the transaction of a change that gives access to another
    /// person. A request that was authenticated before the session ended may still be in progress.
    /// - Throws: ``AppError`` `unauthenticated` when the session has ended or is locked.
    package func requireOpenSession(of actor: Actor, in tx: Transaction) throws {
        guard try SessionStore.isOpen(actor.session, of: actor.person, in: tx) else {
            throw AppError(.unauthenticated, "Sign in again.")
        }
    }

    /// Signs out every person on every device.
    package func endAllSessions(now: Instant, in tx: Transaction) throws {
        for (id, person) in try SessionStore.deleteAll(in: tx) {
            try announce(sessions: [id], of: person, now: now, in: tx)
        }
    }

    /// Returns the devices on which the person is signed in, oldest sign-in first.
    /// - Parameter after: `next` of the previous page.
    /// - Throws: ``AppError`` `invalid` with `fields.after` for a malformed cursor.
    package func sessions(
        _ actor: Actor, after: String?, limit: Int
    ) async throws -> (items: [Session], next: String?) {
        let start: ID<Session>? = try after.map { text in
            guard let id = ID<Session>(text) else {
                throw AppError.invalid("after", "This page mark is not one of ours.")
            }
            return id
        }
        let found = try await database.read { tx in
            try SessionStore.sessions(of: actor.person, after: start?.description ?? "", limit: limit + 1, in: tx)
        }
        let page = Array(found.prefix(limit))
        return (page, found.count > limit ? page.last?.id.description : nil)
    }

    /// Signs out one device, which may be the one that sends the request.
    /// - Throws: ``AppError/notFound`` when the session isn't the person's.
    package func revoke(_ id: ID<Session>, by change: Change) async throws {
        let now = clock.now
        let person = change.actor.person
        try await database.write { [self] tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                guard try SessionStore.delete(id, of: person, in: tx) else { throw AppError.notFound }
                try announce(sessions: [id], of: person, now: now, in: tx)
            }
        }
    }

    /// Returns whether a session exists and isn't locked. Reads the database, not the session cache.
    package func isOpen(_ id: ID<Session>, person: PersonID) async throws -> Bool {
        try await database.read { tx in try SessionStore.isOpen(id, of: person, in: tx) }
    }
}
