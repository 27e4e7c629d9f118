import Kernel

/// The messages for rejected pictures, in English.
enum PictureMessage: String, ErrorMessage {
    /// Larger than ``Limits/pictureBytes``.
    case tooLarge
    case notAPicture = "This file isn’t a picture we can read. Choose a JPEG, PNG, WebP or HEIC."
    /// More than ``Limits/picturePixels``.
    case tooManyPixels
    /// More than ``Limits/wholePicturePixels``.
    case tooManyPixelsForFormat
    case tooMuchMemory = "This picture is too large to process. Choose a smaller one."
    case damaged = "This picture is damaged or incomplete. Choose another one."
    /// The account's pictures reach its quota.
    case libraryFull =
        """
        Your library is full. Delete photos that you don’t need, or ask the administrator of this server for more space.
        """

    private static let pixelsPerMegapixel = 1_000_000

    var text: String {
        let t = Translator.english
        return switch self {
        case .tooLarge: PictureText.tooLarge(t)
        case .tooManyPixels:
            t(
                "This picture has more than {n} megapixels. Choose a smaller one.",
                ["n": String(Limits.picturePixels / Self.pixelsPerMegapixel)])
        case .tooManyPixelsForFormat:
            t(
                "This picture has more than {n} megapixels. Choose a smaller one, or save it as a JPEG.",
                ["n": String(Limits.wholePicturePixels / Self.pixelsPerMegapixel)])
        default: rawValue
        }
    }
}
