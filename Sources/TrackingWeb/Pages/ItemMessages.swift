import Kernel
import Pictures
import WebCore

/// The messages of an item's form, in the reader's language.
struct ItemMessages: Sendable {
    private static let ownFields: Set<String> = [
        "name", "pictureId", "picture", "settings.locateMinutes", "settings.lostMetres", "settings.alertMetres",
        "settings.walkMetres", "settings.keepDays",
    ]

    private let faults: [String: String]
    private let outOfRange: String
    /// The message of the name field; empty for a valid name.
    let name: String
    /// The message of the photo field; empty for a valid photo.
    let picture: String
    /// The message of the whole form.
    let form: String?

    init(_ error: AppError?, typed: ItemFormState, _ language: Language, t: TrackingStrings) {
        faults = error?.translated(to: language).fields ?? [:]
        outOfRange = t.form.outOfRange
        name = faults["name"].map { Self.name(typed.values.name, otherwise: $0, t) } ?? ""
        picture = error.map { Self.picture($0, hasUpload: typed.hasUpload, t) } ?? ""
        form = Self.form(error, language, t)
    }

    /// Returns the message of a setting; empty for a valid value.
    func setting(_ key: String, range: String) -> String {
        faults["settings.\(key)"] == nil ? "" : TrackingStrings.fill(outOfRange, ["range": range])
    }

    /// Returns the message of the retention period; empty for a valid value.
    func keepDays(_ words: RetentionStrings) -> String { faults["settings.keepDays"] == nil ? "" : words.outOfRange }

    private static func name(_ typed: String, otherwise: String, _ t: TrackingStrings) -> String {
        do {
            _ = try DisplayName(typed)
            return otherwise
        } catch {
            return t.form.message(for: error)
        }
    }

    private static func picture(_ error: AppError, hasUpload: Bool, _ t: TrackingStrings) -> String {
        if error.code == .tooLarge { return t.form.pictureTooLarge }
        if let fault = error.fields["picture"] {
            switch PictureError.allCases.first(where: { $0.message == fault }) {
            case .tooLarge: return t.form.pictureTooLarge
            case .notAPicture: return t.form.pictureInvalid
            case .tooManyPixels: return t.form.pictureTooManyPixels
            case .damaged: return t.form.pictureDamaged
            case nil: return fault
            }
        }
        if error.fields["pictureId"] != nil { return t.form.pictureInvalid }
        // Browsers don't restore a file field.
        return hasUpload ? t.form.pictureAgain : ""
    }

    private static func form(_ error: AppError?, _ language: Language, _ t: TrackingStrings) -> String? {
        guard let error, error.code != .tooLarge else { return nil }
        if error.isStaleVersion { return t.common.changedElsewhere }
        let hasOwnPlace = error.fields.keys.contains { ownFields.contains($0) }
        return hasOwnPlace ? nil : error.translated(to: language).message
    }
}

extension FormStrings {
    /// Returns the correction for an invalid name.
    func message(for failure: DisplayName.Failure) -> String {
        switch failure {
        case .empty: nameEmpty
        case .tooLong: nameTooLong
        case .tooManyBytes: nameTooManyBytes
        case .controlCharacter: nameControl
        }
    }
}
