import Kernel
import Pictures
import Tracking
import WebCore

/// The messages of an item's form, in the reader's language.
struct ItemMessages: Sendable {
    private static let ownFields: Set<String> = [
        "name", "pictureId", "picture", "settings.locateMinutes", "settings.lostMetres", "settings.alertMetres",
        "settings.walkMetres", "settings.keepDays", "settings.silentHours",
    ]

    private let faults: [String: String]
    private let outOfRange: String
    /// The message of the name field; empty for a valid name.
    let name: String
    /// The message of the photo field; empty for a valid photo.
    let picture: String
    /// The message of the whole form.
    let form: String?

    init(_ error: AppError?, typed: ItemFormState, _ language: Language, t: Translator) {
        faults = error?.translated(to: language).fields ?? [:]
        outOfRange = t("Enter a whole number: {range}.")
        name = faults["name"].map { Self.name(typed.values.name, otherwise: $0, t) } ?? ""
        picture = error.map { Self.picture($0, hasUpload: typed.hasUpload, t) } ?? ""
        form = Self.form(error, language, t)
    }

    /// Returns the message of a setting; empty for a valid value.
    func setting(_ key: String, range: String) -> String {
        faults["settings.\(key)"] == nil ? "" : Translator.filled(outOfRange, ["range": range])
    }

    /// Returns the message of the retention period; empty for a valid value.
    func keepDays(_ t: Translator) -> String {
        faults["settings.keepDays"] == nil
            ? "" : t("Enter a whole number from {least} to {most}, or nothing.", Limits.keepDays.texts(t))
    }

    /// Returns the message of the hours of silence; empty for a valid value.
    func silentHours(_ t: Translator) -> String {
        faults["settings.silentHours"] == nil
            ? "" : t("Enter a whole number from {least} to {most}, or nothing.", Limits.silentHours.texts(t))
    }

    private static func name(_ typed: String, otherwise: String, _ t: Translator) -> String {
        do {
            _ = try DisplayName(typed)
            return otherwise
        } catch {
            return error.text(t)
        }
    }

    private static func picture(_ error: AppError, hasUpload: Bool, _ t: Translator) -> String {
        if error.code == .tooLarge { return PictureText.tooLarge(t) }
        if let fault = error.fields["picture"] {
            switch PictureError.allCases.first(where: { $0.message == fault }) {
            case .tooLarge: return PictureText.tooLarge(t)
            case .notAPicture: return t("Choose a JPEG, PNG, WebP or HEIC picture.")
            case .tooManyPixels: return t("This picture has too many pixels. Choose a smaller one.")
            case .tooManyPixelsForFormat, .tooMuchMemory: return t.message(fault)
            case .damaged: return t("This picture is damaged or incomplete. Choose another one.")
            case nil: return fault
            }
        }
        if error.fields["pictureId"] != nil { return t("Choose a JPEG, PNG, WebP or HEIC picture.") }
        // Browsers don't restore a file field.
        return hasUpload ? t("Choose the photo again: it was not kept.") : ""
    }

    private static func form(_ error: AppError?, _ language: Language, _ t: Translator) -> String? {
        guard let error, error.code != .tooLarge else { return nil }
        if error.isStaleVersion { return t("This was changed on another device. Review it before you save.") }
        let hasOwnPlace = error.fields.keys.contains { ownFields.contains($0) }
        return hasOwnPlace ? nil : error.translated(to: language).message
    }
}

extension TextValidation.Failure {
    /// Returns the correction for an invalid item's name.
    func text(_ t: Translator) -> String {
        switch self {
        case .empty: t("Enter a name.")
        case .tooLong: t("Use at most {n} characters.", ["n": String(Limits.nameCharacters)])
        case .tooManyBytes: t("This text is too long. Use fewer emoji or accents.")
        case .controlCharacter: t("Remove characters that aren’t allowed.")
        }
    }
}
