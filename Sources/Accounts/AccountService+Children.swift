package import Kernel
import Pictures
package import Storage

/// Accounts of children, for the app in which parents manage their family. It calls these in its own transactions and
/// checks the permissions itself.
extension AccountService {
    /// Creates a child's account. It has neither email nor password.
    /// - Parameters:
    ///   - id: the id of the new account, created outside of the transaction.
    ///   - parent: the person whose pictures the avatar may be chosen from.
    /// - Throws: ``AppError`` `invalid` with `fields.avatarPictureId` for a picture of another person.
    package func addChild(
        _ child: ValidatedChildProfile, id: PersonID, by parent: PersonID, now: Instant, in tx: Transaction
    ) throws -> Account {
        let avatar = child.avatarPictureID ?? BuiltinAvatars.one(for: id)?.id
        if let avatar { try Self.requireAvatar(avatar, by: parent, in: tx) }
        let account = Account(
            id: id, email: nil, name: child.name, phone: nil, dateOfBirth: child.dateOfBirth, theme: child.theme,
            avatarPictureID: avatar, mapsApp: nil, role: .child, language: nil, isOperator: false,
            emailVerifiedAt: nil, version: 1, createdAt: now
        )
        _ = try AccountStore.insert(account, emailKey: nil, password: nil, permit: .parent, in: tx)
        return account
    }

    /// Changes a child's name, date of birth, theme or avatar. Any other field in `changes` is refused.
    /// - Parameters:
    ///   - parent: the person whose pictures the avatar may be chosen from.
    ///   - ifVersion: the version that the client read. `nil` accepts any version.
    /// - Throws: ``AppError``: `notFound` when there is no such child; `invalid` with every wrong or cleared field;
    ///   `conflict` when the account has another version; `forbidden` for a field that a child's account doesn't have.
    package func updateChild(
        _ id: PersonID, _ changes: ProfileChanges, by parent: PersonID, ifVersion: Int64? = nil, now: Instant,
        in tx: Transaction
    ) throws -> (before: Account, after: Account) {
        let before = try presentChild(id, in: tx)
        let edit = try ValidatedProfile(changes, of: before, now: now)
        if let ifVersion, ifVersion != before.version { throw AppError(.conflict, .movedOn) }
        let after = edit.applied(to: before)
        guard after != before else { return (before, before) }
        if let picture = after.avatarPictureID, picture != before.avatarPictureID {
            try Self.requireAvatar(picture, by: parent, in: tx)
        }
        try AccountStore.update(after, emailKey: nil, in: tx)
        try announce(after, now: now, in: tx)
        return (before, after)
    }

    /// Deletes a child's account, its data and its own pictures, and closes the live streams of its open pages. The
    /// next sweep of the picture library deletes the files.
    /// - Throws: ``AppError/notFound`` when there is no such child.
    package func eraseChild(_ id: PersonID, now: Instant, in tx: Transaction) throws {
        let child = try presentChild(id, in: tx)
        try closeSessions(of: id, now: now, in: tx)
        try announce(child, now: now, in: tx)
        try AccountStore.transferAvatars(of: id, in: tx)
        try AccountStore.removeAvatar(of: id, in: tx)
        try PictureLibrary.removeAll(of: id, in: tx)
        try tx.forgetIdempotency(of: id)
        try AccountStore.delete(id, in: tx)
    }

    /// Signs the person out on every device and closes the live streams of their open pages.
    package func closeSessions(of id: PersonID, now: Instant, in tx: Transaction) throws {
        let ended = try SessionStore.deleteAll(of: id, except: nil, in: tx)
        try announce(sessions: ended, of: id, now: now, in: tx)
    }

    /// Signs in a person who proved their identity by something other than a password.
    /// - Parameters:
    ///   - token: a token from ``makeToken()``, created outside of the transaction.
    ///   - sessionID: the id of the new session, created outside of the transaction.
    ///   - means: the way in which the person proved their identity.
    /// - Throws: ``AppError/notFound`` when the account is gone.
    package func openSession(
        of account: PersonID, device: DeviceInfo, token: String, sessionID: ID<Session>, by means: SignInMethod = .code,
        now: Instant, in tx: Transaction
    ) throws -> SignedIn {
        let found = try present(account, in: tx)
        let session = Session(
            id: sessionID, person: account, name: device.name, kind: device.kind, createdAt: now, lastUsedAt: now
        )
        try insert(session, token: token, by: means, in: tx)
        return SignedIn(account: found, session: session, token: token)
    }

    /// Returns the secret of a new session: 32 random bytes, base64url.
    package func makeToken() -> String { Token.make(random: random) }

    /// Returns the open sessions of the person, oldest sign-in first.
    /// - Parameter after: the last session of the previous page.
    package func sessions(
        of person: PersonID, after: ID<Session>?, limit: Int, in tx: Transaction
    ) throws -> [Session] {
        try SessionStore.sessions(of: person, after: after?.description ?? "", limit: limit, in: tx)
    }

    /// Returns the number of devices on which the person is signed in.
    package func sessionCount(of person: PersonID, in tx: Transaction) throws -> Int {
        try SessionStore.count(of: person, in: tx)
    }

    /// Signs out one device of the person and closes the live streams of its open pages.
    /// - Throws: ``AppError/notFound`` when the session isn't the person's.
    package func endSession(_ id: ID<Session>, of person: PersonID, now: Instant, in tx: Transaction) throws {
        guard try SessionStore.delete(id, of: person, in: tx) else { throw AppError.notFound }
        try announce(sessions: [id], of: person, now: now, in: tx)
    }

    /// Returns the accounts with these ids. Unknown ids are left out.
    package func accounts(_ ids: [PersonID], in tx: Transaction) throws -> [PersonID: Account] {
        let found = try AccountStore.accounts(ids, in: tx)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    }

    private func presentChild(_ id: PersonID, in tx: Transaction) throws -> Account {
        let account = try present(id, in: tx)
        guard account.role == .child else { throw AppError.notFound }
        return account
    }
}
