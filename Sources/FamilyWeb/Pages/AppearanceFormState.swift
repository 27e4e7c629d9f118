import Accounts
import Kernel
import Pictures
import WebCore

/// The choices of a ``AppearancePicker``, or the values that an API client sent.
struct AppearanceFormState: Sendable {
    let theme: Edit<String>
    private(set) var avatarPictureID: Edit<ID<Picture>>
    /// The chosen picture's id, for showing the form again.
    private(set) var chosenAvatar: String
    /// A photo that was uploaded with the form.
    private var upload: UploadedFile?

    init(_ fields: inout Fields) {
        theme = fields.string("theme").edit
        guard fields.isForm, fields.typed("avatarPictureId") == AppearancePicker.ownPhoto else {
            avatarPictureID = fields.id("avatarPictureId", of: Picture.self).edit
            chosenAvatar = fields.typed("avatarPictureId")
            return
        }
        upload = fields.file("picture")
        avatarPictureID = fields.id("pictureId", of: Picture.self).edit
        chosenAvatar = fields.typed("pictureId")
    }

    /// Stores a photo that was uploaded with the form in the actor's picture library.
    /// - Parameters:
    ///   - fields: the fields of the form; a rejected photo is noted there with the other errors.
    ///   - check: requires the permission for the form's action; called only if there is a photo to decode.
    /// - Throws: the errors of `check`, and errors that name no field.
    mutating func storePhoto(
        in pictures: PictureLibrary, by change: Change, _ fields: inout Fields, after check: () async throws -> Void
    ) async throws {
        guard let photo = upload else { return }
        try await check()
        guard let picture = try await fields.store(photo, in: pictures, by: change) else {
            return
        }
        avatarPictureID = .set(picture)
        chosenAvatar = picture.description
        upload = nil
    }

    /// Returns the chosen picture's id, or ``AppearancePicker/ownPhoto`` while no photo is stored.
    static func chosenAvatar(_ fields: Fields) -> String {
        let typed = fields.typed("avatarPictureId")
        guard typed == AppearancePicker.ownPhoto else { return typed }
        let picture = fields.typed("pictureId")
        return picture.isEmpty ? AppearancePicker.ownPhoto : picture
    }
}
