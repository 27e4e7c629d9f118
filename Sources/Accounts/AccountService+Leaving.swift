import Foundation
import Kernel
import Logging
import Storage

extension AccountService {
    /// Returns the apps in which the actor has data.
    package func usedApps(of actor: Actor) async throws -> Set<AppName> {
        try await database.read { [dataHandlers] tx in
            Set(try dataHandlers.compactMap { try $0.usedApp(by: actor.person, in: tx) })
        }
    }

    /// Returns all data of the person: account and devices from this module, the rest from the apps. It contains no
    /// password, no token, and no hash of one. An adult needs a stored proof (``SensitiveAct/export``), which allows
    /// repeated downloads.
    /// - Throws: ``AppError`` `invalid` with `fields.password` without a proof.
    package func export(_ actor: Actor) async throws -> AccountExport {
        let now = clock.now
        let files = try await database.read { [self] tx -> [(path: String, contents: [UInt8])] in
            try requireStored(.export, of: actor, now: now, in: tx)
            guard let account = try AccountStore.account(actor.person, in: tx) else { throw AppError.notFound }
            let devices = try SessionStore.sessions(
                of: actor.person, after: "", limit: Limits.sessionsPerAccount, in: tx
            )
            var files = [
                (path: "account.json", contents: try ExportedAccount(account).json()),
                (path: "devices.json", contents: try devices.map(ExportedDevice.init).json()),
                (
                    path: "identities.json",
                    contents: try IdentityStore.identities(of: actor.person, in: tx).map(ExportedIdentity.init).json()
                ),
                (
                    path: "passkeys.json",
                    contents: try PasskeyStore.passkeys(of: actor.person, in: tx).map(ExportedPasskey.init).json()
                ),
            ]
            for dataHandler in dataHandlers { files += try dataHandler.export(actor.person, in: tx) }
            return files
        }
        var attachments = files.map { file in ExportAttachment(path: file.path) { file.contents } }
        for dataHandler in dataHandlers { attachments += try await dataHandler.attachments(of: actor.person) }
        return AccountExport(files: attachments, madeAt: now)
    }

    /// Throws while the person has open business in an app that prevents the deletion of the account.
    /// - Throws: ``AppError`` `conflict`, as ``delete(_:password:ifVersion:)`` would.
    package func permitDeletion(_ actor: Actor) async throws {
        try await database.read { [dataHandlers] tx in
            for dataHandler in dataHandlers { try dataHandler.checkErasure(of: actor.person, in: tx) }
        }
    }

    /// Returns the effects of the account's deletion on others, in English.
    package func erasureNotes(_ actor: Actor) async throws -> [String] {
        try await database.read { [dataHandlers] tx in
            try dataHandlers.compactMap { try $0.erasureNote(of: actor.person, in: tx) }
        }
    }

    /// Deletes the account and all data that the apps store about the person. Requires the password, or a stored proof
    /// (``SensitiveAct/deleteAccount``).
    /// - Throws: ``AppError`` `invalid` with `fields.password` when it is wrong; `throttled` after too many wrong ones;
    ///   `forbidden` for a child; `conflict` when an app has open business.
    package func delete(_ actor: Actor, password typed: String?, ifVersion: Int64? = nil) async throws {
        guard actor.role == .adult else { throw AppError(.forbidden, .parentsOnly) }
        let evidence = try await evidence(password: typed, of: actor)
        let now = clock.now
        try await database.write { [self] tx in
            let account = try require(.deleteAccount, of: actor, with: evidence, now: now, in: tx)
            if let ifVersion, ifVersion != account.version { throw AppError(.conflict, .movedOn) }
            try erase(account, now: now, in: tx)
        }
        for dataHandler in dataHandlers {
            do {
                try await dataHandler.afterErasure()
            } catch {
                logger.warning("not all was tidied up after an account was deleted", metadata: ["error": "\(error)"])
            }
        }
    }

    private func erase(_ account: Account, now: Instant, in tx: Transaction) throws {
        try AccountStore.lockForDeletion(account.id, in: tx)
        let ended = try SessionStore.deleteAll(of: account.id, except: nil, in: tx)
        try announce(sessions: ended, of: account.id, now: now, in: tx)
        try announce(account, now: now, in: tx)
        try AccountStore.removeAvatar(of: account.id, in: tx)
        for dataHandler in dataHandlers { try dataHandler.erase(account.id, in: tx) }
        try tx.forgetIdempotency(of: account.id)
        try AccountStore.delete(account.id, in: tx)
    }
}

private struct ExportedAccount: Encodable {
    private enum Key: String, CodingKey {
        case isOperator, createdAt
    }

    private let account: Account

    init(_ account: Account) { self.account = account }

    func encode(to encoder: any Encoder) throws {
        try AccountData(account).encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(account.isOperator, forKey: .isOperator)
        try object.encode(account.createdAt, forKey: .createdAt)
    }
}

private struct ExportedIdentity: Encodable {
    let provider: String
    let email: String?
    let linkedAt: Instant

    init(_ identity: LinkedIdentity) {
        provider = identity.provider.rawValue
        email = identity.email
        linkedAt = identity.linkedAt
    }
}

private struct ExportedPasskey: Encodable {
    let name: String
    let createdAt: Instant
    let lastUsedAt: Instant?

    init(_ passkey: Passkey) {
        name = passkey.name
        createdAt = passkey.createdAt
        lastUsedAt = passkey.lastUsedAt
    }
}

private struct ExportedDevice: Encodable {
    let id: ID<Session>
    let name: String
    let createdAt: Instant
    let lastUsedAt: Instant

    init(_ session: Session) {
        id = session.id
        name = session.name
        createdAt = session.createdAt
        lastUsedAt = session.lastUsedAt
    }
}

extension Encodable {
    fileprivate func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }
}
