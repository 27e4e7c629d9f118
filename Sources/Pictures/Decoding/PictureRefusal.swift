package import Kernel

/// Why a picture is not taken. The numbers are what the decoding process answers.
package enum PictureRefusal: UInt8, Error, CaseIterable, Sendable {
    /// More than `Limits.pictureBytes`.
    case tooLarge = 1
    /// Not a JPEG, PNG, WebP or HEIC file.
    case notAPicture = 2
    /// More than `Limits.picturePixels`.
    case tooManyPixels = 3
    /// It begins like a picture, but can't be decoded or ends too early.
    case damaged = 4

    /// One sentence for people, saying what to do.
    package var message: String {
        switch self {
        case .tooLarge: "This picture is larger than \(Limits.pictureBytes / 1024 / 1024) MiB. Choose a smaller one."
        case .notAPicture: "This file isn't a picture we can read. Choose a JPEG, PNG, WebP or HEIC."
        case .tooManyPixels:
            "This picture has more than \(Limits.picturePixels / 1_000_000) megapixels. Choose a smaller one."
        case .damaged: "This picture is damaged or incomplete. Choose another one."
        }
    }

    /// The same for the edge: 413 for too many bytes, else 422, told at the field `picture`.
    package var appError: AppError {
        self == .tooLarge
            ? AppError(.tooLarge, message, fields: ["picture": message])
            : .invalid("picture", message)
    }
}
