package import Kernel

/// Thrown when a picture is rejected. The raw values are the worker's response codes.
package enum PictureError: UInt8, Error, CaseIterable, Sendable {
    /// Larger than `Limits.pictureBytes`.
    case tooLarge = 1
    /// Not a JPEG, PNG, WebP or HEIC file.
    case notAPicture = 2
    /// More than `Limits.picturePixels`.
    case tooManyPixels = 3
    /// The file starts like a picture, but too much of it is missing, or it can't be decoded.
    case damaged = 4
    /// More than `Limits.wholePicturePixels` in a format other than JPEG.
    case tooManyPixelsForFormat = 5
    /// Decoding it needs more memory than the worker has, as for a progressive JPEG of 200 megapixels.
    case tooMuchMemory = 6

    /// The message for people.
    package var message: String {
        switch self {
        case .tooLarge: PictureMessage.tooLarge.text
        case .notAPicture: PictureMessage.notAPicture.text
        case .tooManyPixels: PictureMessage.tooManyPixels.text
        case .damaged: PictureMessage.damaged.text
        case .tooManyPixelsForFormat: PictureMessage.tooManyPixelsForFormat.text
        case .tooMuchMemory: PictureMessage.tooMuchMemory.text
        }
    }

    /// The HTTP error: 413 for too many bytes, otherwise 422, at the field `picture`.
    package var appError: AppError {
        self == .tooLarge
            ? AppError(.tooLarge, message, fields: ["picture": message])
            : .invalid("picture", message)
    }
}
