import Accounts
import Kernel
import Pictures
import Tracking
import WebCore

/// The photo that is submitted with the form of an item, as happens without scripts.
struct ItemPictureUpload: Sendable {
    let itemPictures: ItemPictureService
    let library: PictureLibrary

    /// Stores a picture of a rejected form, because browsers don't restore a file field. The picture is then in the
    /// library, as it is with scripts when a photo is chosen, and the form refers to it.
    /// - Returns: the error, plus the picture's error if there is one.
    func storeRejected(
        _ upload: UploadedFile?, with typed: inout ItemFormState, after error: AppError, _ context: SignedInContext
    ) async throws -> AppError {
        guard let upload, !upload.bytes.isEmpty, error.code == .invalid || error.code == .conflict,
            error.fields["picture"] == nil
        else { return error }
        do {
            typed.values.pictureId = try await library.add(upload.bytes, owner: context.actor.person).id.description
            typed.hasUpload = false
            return error
        } catch let refusal as AppError {
            // On a temporary failure the form asks for the picture again.
            guard refusal.code == .invalid else { return error }
            let fields = error.fields.merging(refusal.fields) { first, _ in first }
            return AppError(error.code, error.message, fields: fields)
        }
    }

    /// Stores a picture submitted with the form, as happens without scripts, and runs `work` with it. Deletes the
    /// picture again if the item doesn't show it afterwards, because the change was rejected or was a repeat.
    func withStoredPicture(
        _ upload: UploadedFile?, by change: Change, _ work: (ID<Picture>?) async throws -> ItemOverview
    ) async throws -> ItemOverview {
        guard let upload, !upload.bytes.isEmpty else { return try await work(nil) }
        let picture = try await library.add(upload.bytes, owner: change.actor.person).id
        do {
            let overview = try await work(picture)
            if overview.item.pictureID != picture { try await itemPictures.discard(picture, of: change.actor) }
            return overview
        } catch {
            try await itemPictures.discard(picture, of: change.actor)
            throw error
        }
    }
}
