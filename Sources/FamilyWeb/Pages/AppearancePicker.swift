import Accounts
import Kernel
import Pictures
import WebCore

/// The picker of theme and avatar, for the partial `family-appearance`. Its form must be `multipart/form-data`.
struct AppearancePicker: Sendable {
    /// The value of the choice *Own photo*.
    static let ownPhoto = "photo"

    let themes: [ThemeChoice]
    let themeError: String?
    let avatars: [AvatarChoice]
    let avatarError: String?
    let photo: PhotoField
    let isOwnPhoto: Bool

    /// - Parameter avatar: the id of the chosen picture, stored or typed; empty for none.
    init(_ context: some WebContext, theme: String, avatar: String, errors: FormErrors) {
        let t = context.t
        let names = AvatarNames(t: t)
        themes = Themes.all.map {
            ThemeChoice(themeID: $0, themeName: ThemeName.text($0, t), isChosenTheme: $0 == theme)
        }
        themeError = errors["theme"]
        avatars = BuiltinAvatars.all.map { builtin in
            let id = builtin.id.description
            return AvatarChoice(
                avatarID: id, avatarURL: FamilyPath.picture(builtin.id, size: .small),
                avatarName: names.name(builtin.name), isChosenAvatar: id == avatar
            )
        }
        isOwnPhoto = !avatar.isEmpty && !avatars.contains(where: \.isChosenAvatar)
        let own = isOwnPhoto ? ID<Picture>(avatar) : nil
        let problem = errors["avatarPictureId"] ?? errors["pictureId"] ?? errors["picture"] ?? ""
        avatarError = isOwnPhoto || problem.isEmpty ? nil : problem
        photo = PhotoField(
            pictureID: own?.description ?? "", imageURL: own.map { FamilyPath.picture($0, size: .medium) },
            error: isOwnPhoto ? problem : "", label: t("Photo for the avatar")
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
