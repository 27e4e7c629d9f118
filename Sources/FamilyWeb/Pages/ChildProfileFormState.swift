import Family
import Kernel
import WebCore

/// The typed values of a child's own form, to show them again after an error.
struct ChildProfileFormState: Sendable {
    var name: String
    var dateOfBirth: String
    var theme: String
    var avatar: String
    var version: String

    init(_ child: Child) {
        name = child.name
        dateOfBirth = child.dateOfBirth
        theme = child.theme
        avatar = child.avatarPictureID?.description ?? ""
        version = String(child.version)
    }

    init(_ fields: Fields) {
        name = fields.typed("name")
        dateOfBirth = fields.typed("dateOfBirth")
        theme = fields.typed("theme")
        avatar = AppearanceFormState.chosenAvatar(fields)
        version = fields.typed("version")
    }
}
