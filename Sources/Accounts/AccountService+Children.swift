package import Kernel
import Pictures
package import Storage

/// Accounts of children: what the app with which parents run their family does with them, inside its own transactions.
/// Who may do it is that app's to say.
extension AccountService {
    /// Makes a child's account. It has neither email nor password.
    /// - Parameters:
    ///   - id: the new account's, made outside of the transaction.
    ///   - parent: whose picture the avatar may be.
    /// - Throws: ``AppError`` `invalid` with `fields.avatarPictureId` for somebody else's picture.
    package func addChild(
        _ child: CheckedChild, id: PersonID, by parent: PersonID, now: Instant, in tx: Transaction
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

    /// Changes a child's name, date of birth, theme or avatar; anything else in `changes` is refused.
    /// - Parameters:
    ///   - parent: whose picture the avatar may be.
    ///   - ifVersion: the version that the asker read; `nil` for whatever it is.
    /// - Throws: ``AppError``: `notFound` when there is no such child; `invalid` with all fields at fault, a cleared one
    ///   among them; `conflict` when the account moved on; `forbidden` for what a child's account doesn't have.
    package func updateChild(
        _ id: PersonID, _ changes: ProfileChanges, by parent: PersonID, ifVersion: Int64? = nil, now: Instant,
        in tx: Transaction
    ) throws -> (before: Account, after: Account) {
        let before = try presentChild(id, in: tx)
        let edit = try CheckedProfile(changes, of: before, now: now)
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

    /// Removes a child's account, what it keeps and its own pictures; its open pages lose their live stream. The
    /// pictures' files go with the library's next sweep.
    /// - Throws: ``AppError/notFound`` when there is no such child.
    package func eraseChild(_ id: PersonID, now: Instant, in tx: Transaction) throws {
        let child = try presentChild(id, in: tx)
        try closeSessions(of: id, now: now, in: tx)
        try announce(child, now: now, in: tx)
        try AccountStore.handOverAvatars(of: id, in: tx)
        try AccountStore.removeAvatar(of: id, in: tx)
        try PictureLibrary.removeAll(of: id, in: tx)
        try tx.forgetIdempotency(of: id)
        try AccountStore.delete(id, in: tx)
    }

    /// Signs somebody out everywhere: every open page of theirs loses its live stream.
    package func closeSessions(of id: PersonID, now: Instant, in tx: Transaction) throws {
        let ended = try SessionStore.deleteAll(of: id, except: nil, in: tx)
        try announce(sessions: ended, of: id, now: now, in: tx)
    }

    /// Signs somebody in who has shown otherwise than by a password who they are.
    /// - Parameters:
    ///   - token: ``makeToken()``, made outside of the transaction.
    ///   - sessionID: the new session's, likewise.
    ///   - means: by what they have shown it.
    /// - Throws: ``AppError/notFound`` when the account is gone.
    package func openSession(
        of account: PersonID, device: DeviceInfo, token: String, sessionID: ID<Session>, by means: SignInMeans = .code,
        now: Instant, in tx: Transaction
    ) throws -> SignedIn {
        let found = try present(account, in: tx)
        let session = Session(
            id: sessionID, person: account, name: device.name, kind: device.kind, createdAt: now, lastUsedAt: now
        )
        try insert(session, token: token, by: means, in: tx)
        return SignedIn(account: found, session: session, token: token)
    }

    /// A new session's secret: 32 random bytes, base64url.
    package func makeToken() -> String { Token.make(random: random) }

    /// Where somebody is signed in, oldest sign-in first.
    /// - Parameter after: the last of the page before.
    package func sessions(
        of person: PersonID, after: ID<Session>?, limit: Int, in tx: Transaction
    ) throws -> [Session] {
        try SessionStore.sessions(of: person, after: after?.description ?? "", limit: limit, in: tx)
    }

    /// How many devices somebody is signed in on.
    package func sessionCount(of person: PersonID, in tx: Transaction) throws -> Int {
        try SessionStore.count(of: person, in: tx)
    }

    /// Signs one device of somebody out; its open pages lose their live stream.
    /// - Throws: ``AppError/notFound`` when it isn't theirs.
    package func endSession(_ id: ID<Session>, of person: PersonID, now: Instant, in tx: Transaction) throws {
        guard try SessionStore.delete(id, of: person, in: tx) else { throw AppError.notFound }
        try announce(sessions: [id], of: person, now: now, in: tx)
    }

    /// The accounts with these ids; one that isn't there is left out.
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
