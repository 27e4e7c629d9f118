import Kernel
import WebCore

/// The messages of an item's form, in the reader's language.
struct ItemMessages: Sendable {
    private static let ownFields: Set<String> = [
        "name", "pictureId", "picture", "settings.locateMinutes", "settings.lostMetres", "settings.alertMetres",
        "settings.walkMetres",
    ]

    private let faults: [String: String]
    private let outOfRange: String
    /// The message at the name; empty when it is fine.
    let name: String
    /// The message at the photo; empty when it is fine.
    let picture: String
    /// What is wrong with the form as a whole.
    let form: String?

    init(_ error: AppError?, typed: TypedItem, t: TrackingStrings) {
        faults = error?.fields ?? [:]
        outOfRange = t.form.outOfRange
        name = faults["name"].map { Self.name(typed.name, otherwise: $0, t) } ?? ""
        if error?.code == .tooLarge {
            picture = t.form.pictureTooLarge
        } else if let fault = faults["picture"] {
            picture = fault
        } else {
            picture = faults["pictureId"] == nil ? "" : t.form.pictureInvalid
        }
        form = Self.form(error, t)
    }

    /// The message at a setting; empty when it is fine.
    func setting(_ key: String, range: String) -> String {
        faults["settings.\(key)"] == nil ? "" : TrackingStrings.fill(outOfRange, ["range": range])
    }

    private static func name(_ typed: String, otherwise: String, _ t: TrackingStrings) -> String {
        do {
            _ = try DisplayName(typed)
            return otherwise
        } catch {
            return t.form.message(for: error)
        }
    }

    private static func form(_ error: AppError?, _ t: TrackingStrings) -> String? {
        guard let error else { return nil }
        switch error.code {
        case .tooLarge: return nil
        case .conflict: return t.common.changedMeanwhile
        default: return error.fields.keys.contains { ownFields.contains($0) } ? nil : error.message
        }
    }
}

extension FormStrings {
    /// What to correct about a name.
    func message(for failure: DisplayName.Failure) -> String {
        switch failure {
        case .empty: nameEmpty
        case .tooLong: nameTooLong
        case .controlCharacter: nameControl
        }
    }
}
