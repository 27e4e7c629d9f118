import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The values of the form of a person, as text.
struct PersonValues: Sendable, Equatable {
    var name = ""
    var dateOfBirth = ""
    var theme = Themes.standard
    /// The picture's id; empty for none.
    var avatar = ""

    init() {}

    init(_ child: Child) {
        name = child.name
        dateOfBirth = child.dateOfBirth
        theme = child.theme
        avatar = child.avatarPictureID?.description ?? ""
    }

    init(_ member: Member) {
        name = member.name
        dateOfBirth = member.dateOfBirth ?? ""
        theme = member.theme
        avatar = member.avatarPictureID?.description ?? ""
    }

    init(base fields: Fields) {
        name = fields.typed("base.name")
        dateOfBirth = fields.typed("base.dateOfBirth")
        theme = fields.typed("base.theme")
        avatar = fields.typed("base.avatar")
    }
}

/// The typed values of the form, to show them again after an error.
struct PersonFormState: Sendable {
    var values = PersonValues()
    /// The stored values that the form was filled from.
    var base = PersonValues()
    /// The version that the form was filled from; `nil` for a new child.
    var version: Int64?

    init() {}

    init(_ child: Child) {
        values = PersonValues(child)
        base = values
        version = child.version
    }

    init(_ member: Member) {
        values = PersonValues(member)
        base = values
        version = member.version
    }

    init(_ fields: Fields) {
        values.name = fields.typed("name")
        values.dateOfBirth = fields.typed("dateOfBirth")
        base = PersonValues(base: fields)
        values.theme = base.theme.isEmpty ? Themes.standard : base.theme
        values.avatar = base.avatar
        version = Int64(fields.typed("version"))
    }

    /// Reads the changes of a form, and stores its photo.
    /// - Parameter check: requires the permission for the form's action; called only if there is a photo to decode.
    /// - Throws: the errors of `check`; a rejected photo is noted in `fields`.
    mutating func readChanges(
        _ fields: inout Fields, in pictures: PictureLibrary, _ context: SignedInContext,
        after check: () async throws -> Void
    ) async throws -> (changes: ProfileChanges, change: Change) {
        self = PersonFormState(fields)
        var changes = ProfileChanges(name: fields.string("name").edit, dateOfBirth: fields.string("dateOfBirth").edit)
        var appearance = AppearanceFormState(&fields)
        apply(appearance)
        let change = try context.change(fields)
        try await appearance.storePhoto(in: pictures, by: change, &fields, after: check)
        apply(appearance)
        changes.theme = appearance.theme
        changes.avatarPictureID = appearance.avatarPictureID
        return (changes, change)
    }

    /// Applies the choices of the pickers. Requests of API clients have none.
    private mutating func apply(_ appearance: AppearanceFormState) {
        if case .set(let theme) = appearance.theme { values.theme = theme }
        values.avatar = appearance.chosenAvatar
    }

    /// Merges the values of a concurrent change: it takes over the fields that this person didn't edit.
    private mutating func rebase(on present: PersonValues, version: Int64) {
        for path: WritableKeyPath<PersonValues, String> in [\.name, \.dateOfBirth, \.theme, \.avatar]
        where values[keyPath: path] == base[keyPath: path] {
            values[keyPath: path] = present[keyPath: path]
        }
        base = present
        self.version = version
    }

    /// Returns the error to show after a failed edit. After a concurrent change, merges the stored values with the
    /// typed ones.
    mutating func rebase(
        after error: AppError, on present: PersonValues, version: Int64, _ context: SignedInContext
    ) -> AppError {
        guard error.code == .conflict, self.version != version else { return context.translated(error) }
        rebase(on: present, version: version)
        return AppError(
            .conflict,
            context.t(
                "This was changed elsewhere. You now see the current state with your changes. Save again to keep them.")
        )
    }
}
