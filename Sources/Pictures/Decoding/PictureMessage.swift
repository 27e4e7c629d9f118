import Kernel

/// The messages for rejected pictures, in English.
enum PictureMessage: String, ErrorMessage {
    /// Larger than ``Limits/pictureBytes``.
    case tooLarge
    case notAPicture = "This file isn’t a picture we can read. Choose a JPEG, PNG, WebP or HEIC."
    /// More than ``Limits/picturePixels``.
    case tooManyPixels
    case damaged = "This picture is damaged or incomplete. Choose another one."
    /// The account has ``Limits/picturesPerAccount`` pictures.
    case libraryFull

    private static let pixelsPerMegapixel = 1_000_000

    var text: String {
        let t = Translator.english
        return switch self {
        case .tooLarge: PictureText.tooLarge(t)
        case .tooManyPixels:
            t(
                "This picture has more than {n} megapixels. Choose a smaller one.",
                ["n": String(Limits.picturePixels / Self.pixelsPerMegapixel)])
        case .libraryFull:
            t(
                "Your library is full: it holds {n} picture. Delete it if you don’t need it.",
                plural: "Your library is full: it holds {n} pictures. Delete some that you don’t need.",
                count: Limits.picturesPerAccount)
        default: rawValue
        }
    }
}
