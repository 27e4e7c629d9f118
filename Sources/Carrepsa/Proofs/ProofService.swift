package import Accounts
package import Kernel
package import Pictures
import Storage

/// `/carrepsa/packages/{id}/proofs`: photos of the handovers.
package struct ProofService: Sendable {
    let commands: PackageCommandExecutor

    /// Adds a photo of the pickup before it is confirmed, or of the delivery while the package is on its way. The
    /// history has its hash and the note, and the ledger seals the entry.
    /// - Parameters:
    ///   - picture: from the actor's library.
    ///   - note: the condition of the package; `nil` or blank for none.
    ///   - read: reads the stored file.
    /// - Throws: `AppError`: `notFound`, `forbidden`; `conflict` in another state and after ``Limits/packageProofs``
    ///   photos; `invalid` at `pictureId` and `note`.
    package func add(
        _ picture: ID<Picture>?, note: String?, to id: ID<Package>, reading read: PhotoReader, by change: Change
    ) async throws -> PackageDetails {
        guard let picture, let bytes = try await read(picture) else {
            // A person who may not add a photo gets no field errors.
            try await requirePossible(id, for: change.actor)
            try Self.check(picture, note: note)
            throw AppError(.invalid, .photoMissing, field: "pictureId")
        }
        let note = try Self.check(picture, note: note)
        let photo = PackageCommand.Photo(picture: picture, digest: SHA256Text.digest(of: bytes))
        return try await commands.execute(.addProof, on: id, status: 201, by: change) { command in
            command.note = note
            command.photo = photo
        }
    }

    /// Checks whether the actor can add a photo, before an uploaded one is stored.
    /// - Throws: `AppError`: `notFound`, `forbidden`; `conflict` in another state.
    package func requirePossible(_ id: ID<Package>, for actor: Actor) async throws {
        try await commands.requirePossible(.addProof, on: id, for: actor)
    }

    /// - Returns: the note without surrounding blanks.
    /// - Throws: `AppError.invalid` at `pictureId` and `note`.
    @discardableResult
    package static func check(_ picture: ID<Picture>?, note: String?) throws -> String? {
        var problems = FieldErrors<CarrepsaMessage>()
        if picture == nil { problems.refuse("pictureId", .photoMissing) }
        let note = PackageDraft.text(note, "note", &problems)
        try problems.finish()
        return note
    }
}
