import Accounts
import Kernel
import Pictures
import WebCore

/// The picker of theme and avatar, for the partial `family-looks`. Its form must be `multipart/form-data`.
struct AppearancePicker: Sendable {
    /// The value of the choice *Own photo*.
    static let ownPhoto = "photo"

    let looks: FamilyAppearanceStrings
    let themes: [ThemeChoice]
    let themeError: String?
    let avatars: [AvatarChoice]
    let avatarError: String?
    let photo: PhotoField
    let isOwnPhoto: Bool

    /// - Parameter avatar: the id of the chosen picture, stored or typed; empty for none.
    init(_ context: some WebContext, theme: String, avatar: String, errors: FormErrors) {
        let t = context.familyStrings.child.looks
        looks = t
        themes = Themes.all.map {
            ThemeChoice(themeID: $0, themeName: t.themes[$0] ?? $0, isChosenTheme: $0 == theme)
        }
        themeError = errors["theme"]
        avatars = BuiltinAvatars.all.map { builtin in
            let id = builtin.id.description
            return AvatarChoice(
                avatarID: id, avatarURL: FamilyPath.picture(builtin.id, size: .small),
                avatarName: t.avatars[builtin.name] ?? builtin.name, isChosenAvatar: id == avatar
            )
        }
        isOwnPhoto = !avatar.isEmpty && !avatars.contains(where: \.isChosenAvatar)
        let own = isOwnPhoto ? ID<Picture>(avatar) : nil
        let problem = errors["avatarPictureId"] ?? errors["pictureId"] ?? errors["picture"] ?? ""
        avatarError = isOwnPhoto || problem.isEmpty ? nil : problem
        photo = PhotoField(
            pictureID: own?.description ?? "", imageURL: own.map { FamilyPath.picture($0, size: .medium) },
            error: isOwnPhoto ? problem : "", label: t.photoLabel
        )
    }

    /// Creates the picker with the stored values.
    init(_ context: some WebContext, theme: String, avatarPictureID: ID<Picture>?, errors: FormErrors) {
        self.init(context, theme: theme, avatar: avatarPictureID?.description ?? "", errors: errors)
    }
}

struct ThemeChoice: Sendable {
    let themeID: String
    let themeName: String
    let isChosenTheme: Bool
}

struct AvatarChoice: Sendable {
    let avatarID: String
    let avatarURL: String
    let avatarName: String
    let isChosenAvatar: Bool
}

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
        guard let picture = try await fields.capturingErrors({ try await pictures.keep(photo, by: change) }) else {
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
