import Kernel
import Logging
import Storage

/// The deletion of an account by its owner.
package struct AccountDeletionService: Sendable {
    let database: Database
    let proofs: ProofService
    let signInMethods: SignInMethodReader
    let sessions: SessionService
    let events: AccountEvents
    let dataHandlers: [any AccountDataHandler]
    let clock: any WallClock
    let logger: Logger

    /// Returns what the actor must know and prove before the account's deletion.
    package func preview(for actor: Actor) async throws -> DeletionPreview {
        let now = clock.now
        return try await database.read { tx in
            DeletionPreview(
                methods: try signInMethods.methods(of: actor, for: .deleteAccount, now: now, in: tx),
                obstacle: try obstacle(of: actor.person, in: tx),
                notes: try dataHandlers.compactMap { try $0.erasureNote(of: actor.person, in: tx) })
        }
    }

    private func obstacle(of person: PersonID, in tx: Transaction) throws -> AppError? {
        do {
            for dataHandler in dataHandlers { try dataHandler.checkErasure(of: person, in: tx) }
            return nil
        } catch let error as AppError where error.code == .conflict {
            return error
        }
    }

    /// Deletes the account and all data that the apps store about the person. Requires the password, or a stored proof
    /// (``SensitiveAct/deleteAccount``).
    /// - Throws: ``AppError`` `invalid` with `fields.password` when it is wrong; `throttled` after too many wrong ones;
    ///   `forbidden` for a child; `conflict` when an app has open business.
    package func delete(_ actor: Actor, password typed: String?, ifVersion: Int64? = nil) async throws {
        try actor.requireAdult()
        let evidence = try await proofs.evidence(password: typed, of: actor)
        let now = clock.now
        try await database.write { tx in
            let account = try proofs.require(.deleteAccount, of: actor, with: evidence, now: now, in: tx)
            if let ifVersion, ifVersion != account.version { throw AppError(.conflict, .movedOn) }
            try erase(account, now: now, in: tx)
        }
        await cleanUp()
    }

    /// Cleans up outside the database after ``erase(_:now:in:)``.
    func cleanUp() async {
        for dataHandler in dataHandlers {
            do {
                try await dataHandler.afterErasure()
            } catch {
                logger.warning("not all was tidied up after an account was deleted", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Deletes an account and all its data. The caller makes sure that the actor may do so.
    func erase(_ account: Account, now: Instant, in tx: Transaction) throws {
        try AccountStore.lockForDeletion(account.id, in: tx)
        try sessions.endAll(of: account.id, now: now, in: tx)
        try events.publish(account, now: now, in: tx)
        try AccountStore.removeAvatar(of: account.id, in: tx)
        for dataHandler in dataHandlers { try dataHandler.erase(account.id, in: tx) }
        try tx.forgetIdempotency(of: account.id)
        if let stored = try ImportStore.lock(of: account.id, in: tx) {
            try StoredArchive.discard(stored.id, count: stored.byteCount, in: tx)
        }
        try AccountStore.delete(account.id, in: tx)
    }
}
