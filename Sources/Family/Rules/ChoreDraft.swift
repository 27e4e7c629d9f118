import Accounts
import Kernel
import Pictures

extension ChoreInput {
    /// Checks the rules that need no stored data, so that a form reports the errors of all fields at once.
    /// - Parameter hasUpload: whether the request has an uploaded picture. A rejected picture has its own error.
    /// - Throws: `AppError(.invalid)` at `name` and `pictureId`.
    package func check(hasUpload: Bool) throws {
        let changes = ChoreChanges(
            name: name.map { .set($0) } ?? .clear, pictureID: pictureID == nil && !hasUpload ? .clear : .unchanged)
        try changes.check()
    }
}

extension ChoreChanges {
    /// Checks the rules that need no stored data, so that a form reports the errors of all fields at once.
    /// - Throws: `AppError(.invalid)` at `name` and `pictureId`.
    package func check() throws { _ = try ChoreDraft(self) }
}

/// The checked name and picture of a chore.
struct ChoreDraft: Sendable {
    /// `nil` keeps the present name.
    let name: String?
    /// `nil` keeps the present picture.
    let pictureID: ID<Picture>?

    /// - Throws: `AppError(.invalid)` at `name` and `pictureId`.
    init(_ input: ChoreInput) throws {
        var problems = FieldErrors<FamilyMessage>()
        name = Self.name(input.name, &problems)
        if input.pictureID == nil { problems.refuse("pictureId", .choreLacksPicture) }
        try problems.finish()
        pictureID = input.pictureID
    }

    /// - Throws: `AppError(.invalid)` at `name` and `pictureId`.
    init(_ changes: ChoreChanges) throws {
        var problems = FieldErrors<FamilyMessage>()
        switch changes.name {
        case .unchanged: name = nil
        case .clear: name = Self.name(nil, &problems)
        case .set(let typed): name = Self.name(typed, &problems)
        }
        switch changes.pictureID {
        case .unchanged: pictureID = nil
        case .clear:
            problems.refuse("pictureId", .choreLacksPicture)
            pictureID = nil
        case .set(let picture): pictureID = picture
        }
        try problems.finish()
    }

    private static func name(_ typed: String?, _ problems: inout FieldErrors<FamilyMessage>) -> String? {
        do throws(TextValidation.Failure) {
            return try DisplayName(typed ?? "").text
        } catch {
            switch error {
            case .empty: problems.refuse("name", .choreNameMissing)
            case .tooLong: problems.refuse("name", .choreNameTooLong)
            case .tooManyBytes: problems.refuse("name", .tooManyBytes)
            case .controlCharacter: problems.refuse("name", .choreNameUnreadable)
            }
            return nil
        }
    }
}
