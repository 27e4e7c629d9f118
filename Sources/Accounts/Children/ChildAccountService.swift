package import Kernel
import Pictures
package import Storage

/// Accounts of children, for the app in which parents manage their family. It calls these in its own transactions and
/// checks the permissions itself.
package struct ChildAccountService: Sendable {
    let sessions: SessionService
    let events: AccountEvents

    /// Creates a child's account. It has neither email nor password.
    /// - Parameters:
    ///   - id: the id of the new account, created outside of the transaction.
    ///   - parent: the person whose pictures the avatar may be chosen from.
    /// - Throws: ``AppError`` `invalid` with `fields.avatarPictureId` for a picture of another person.
    package func create(
        _ child: ValidatedChildProfile, id: PersonID, by parent: PersonID, now: Instant, in tx: Transaction
    ) throws -> Account {
        let avatar = child.avatarPictureID ?? BuiltinAvatars.one(for: id)?.id
        if let avatar { try AvatarRule.requireOwned(avatar, by: parent, in: tx) }
        let account = Account(
            id: id, email: nil, name: child.name, phone: nil, dateOfBirth: child.dateOfBirth, theme: child.theme,
            avatarPictureID: avatar, mapsApp: nil, role: .child, language: nil, isOperator: false,
            emailVerifiedAt: nil, version: 1, createdAt: now
        )
        _ = try AccountStore.insert(account, emailKey: nil, password: nil, permit: .parent, in: tx)
        return account
    }

    /// - Throws: ``AppError`` `invalid` with `fields.dateOfBirth` for a child that was born before the parent, or on
    ///   the same day.
    package func requireBirth(of child: ValidatedChildProfile, after parent: PersonID, in tx: Transaction) throws {
        try requireBirth(on: child.dateOfBirth, after: parent, in: tx)
    }

    private func requireBirth(on date: String, after parent: PersonID, in tx: Transaction) throws {
        // Both are written as 2018-07-31.
        guard let birth = try AccountStore.account(parent, in: tx)?.dateOfBirth, date <= birth else { return }
        throw AppError(.invalid, .bornBeforeParent, field: "dateOfBirth")
    }

    /// Changes a child's name, date of birth, theme or avatar. Any other field in `changes` is refused.
    /// - Parameters:
    ///   - parent: the person whose pictures the avatar may be chosen from.
    ///   - ifVersion: the version that the client read. `nil` accepts any version.
    /// - Throws: ``AppError``: `notFound` when there is no such child; `invalid` with every wrong or cleared field, and
    ///   with `dateOfBirth` for a child that was born before the parent;
    ///   `conflict` when the account has another version; `forbidden` for a field that a child's account doesn't have.
    package func update(
        _ id: PersonID, _ changes: ProfileChanges, by parent: PersonID, ifVersion: Int64? = nil, now: Instant,
        in tx: Transaction
    ) throws -> (before: Account, after: Account) {
        let before = try existingChild(id, in: tx)
        let edit = try ValidatedProfile(changes, of: before, now: now)
        if let ifVersion, ifVersion != before.version { throw AppError(.conflict, .movedOn) }
        let after = edit.applied(to: before)
        guard after != before else { return (before, before) }
        if parent != id, let date = after.dateOfBirth, date != before.dateOfBirth {
            try requireBirth(on: date, after: parent, in: tx)
        }
        if let picture = after.avatarPictureID, picture != before.avatarPictureID {
            try AvatarRule.requireOwned(picture, by: parent, in: tx)
        }
        try AccountStore.update(after, emailKey: nil, in: tx)
        try events.publish(after, now: now, in: tx)
        return (before, after)
    }

    /// Deletes a child's account, its data and its own pictures, and closes the live streams of its open pages. The
    /// next sweep of the picture library deletes the files.
    /// - Throws: ``AppError/notFound`` when there is no such child.
    package func erase(_ id: PersonID, now: Instant, in tx: Transaction) throws {
        let child = try existingChild(id, in: tx)
        try sessions.endAll(of: id, now: now, in: tx)
        try events.publish(child, now: now, in: tx)
        try AccountStore.transferAvatars(of: id, in: tx)
        try AccountStore.removeAvatar(of: id, in: tx)
        try PictureLibrary.removeAll(of: id, in: tx)
        try tx.forgetIdempotency(of: id)
        try AccountStore.delete(id, in: tx)
    }

    private func existingChild(_ id: PersonID, in tx: Transaction) throws -> Account {
        let account = try AccountStore.requireLockedAccount(id, in: tx)
        guard account.role == .child else { throw AppError.notFound }
        return account
    }
}
