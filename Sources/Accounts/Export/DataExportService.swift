import Kernel
import Storage

/// The export of a person's data.
package struct DataExportService: Sendable {
    let database: Database
    let siteURL: String
    let proofs: ProofService
    let dataHandlers: [any AccountDataHandler]
    let clock: any WallClock

    /// Returns all data of the person: account and devices from this module, the rest from the apps. It contains no
    /// password, no token, and no hash of one. An adult needs a stored proof (``SensitiveAct/export``), which allows
    /// repeated downloads.
    /// - Throws: ``AppError`` `invalid` with `fields.password` without a proof.
    package func export(_ actor: Actor) async throws -> AccountExport {
        let now = clock.now
        let files = try await database.read { tx -> [(path: String, contents: [UInt8])] in
            try proofs.requireStored(.export, of: actor, now: now, in: tx)
            guard let account = try AccountStore.account(actor.person, in: tx) else { throw AppError.notFound }
            let devices = try SessionStore.sessions(
                of: actor.person, after: "", limit: Limits.sessionsPerAccount, in: tx
            )
            let manifest = ExportManifest(
                format: ImportArchive.currentFormat, exportedAt: now, serverURL: siteURL, accountId: actor.person)
            var files = [
                (path: "account.json", contents: try ExportedAccount(account).json(isReadable: true)),
                (path: ImportArchive.manifestPath, contents: try manifest.json(isReadable: true)),
                (path: "devices.json", contents: try devices.map(ExportedDevice.init).json(isReadable: true)),
                (
                    path: "identities.json",
                    contents: try IdentityStore.identities(of: actor.person, in: tx).map(ExportedIdentity.init)
                        .json(isReadable: true)
                ),
                (
                    path: "passkeys.json",
                    contents: try PasskeyStore.passkeys(of: actor.person, in: tx).map(ExportedPasskey.init).json(
                        isReadable: true)
                ),
                (
                    path: "access-tokens.json",
                    contents: try AccessTokenStore.tokens(of: actor.person, in: tx).map(ExportedAccessToken.init)
                        .json(isReadable: true)
                ),
            ]
            for dataHandler in dataHandlers { files += try dataHandler.export(actor.person, in: tx) }
            return files
        }
        var attachments = files.map { file in ExportAttachment(path: file.path) { file.contents } }
        for dataHandler in dataHandlers { attachments += try await dataHandler.attachments(of: actor.person) }
        return AccountExport(files: attachments, madeAt: now)
    }
}
