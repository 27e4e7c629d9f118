/// The messages for rejected pictures, in English.
enum PictureMessage: String {
    /// The size is `Limits.pictureBytes`.
    case tooLarge = "This picture is larger than 10 MiB. Choose a smaller one."
    case notAPicture = "This file isn't a picture we can read. Choose a JPEG, PNG, WebP or HEIC."
    /// The number is `Limits.picturePixels`.
    case tooManyPixels = "This picture has more than 50 megapixels. Choose a smaller one."
    case damaged = "This picture is damaged or incomplete. Choose another one."
}
