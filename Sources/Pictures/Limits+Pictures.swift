package import Kernel

extension Limits {
    /// Objects that a sweep deletes concurrently.
    package static let objectDeletionsAtOnce = 8

    /// Bytes of a picture.
    package static let pictureBytes = pictureMegabytes * 1024 * 1024
    /// The same limit in the unit of the texts that people read.
    package static let pictureMegabytes = 10
    /// Pixels of a picture. Phones take photos of 200 megapixels.
    package static let picturePixels = 250_000_000
    /// Pixels of a picture that is decoded as a whole: a PNG, WebP or HEIC.
    package static let wholePicturePixels = 65_000_000
    /// The share of a JPEG's rows that may be missing at its end: one in so many.
    static let pictureMissingShare = 16
    /// Scans of a JPEG. Programs write about ten; libjpeg processes the whole picture for each, however short it is.
    static let pictureScans = 100
    /// Pictures decoded at once.
    package static let pictureWorkers = 2
    /// Pictures waiting to be decoded.
    package static let pictureQueue = 32
    /// Waiting pictures of one person: an eighth of ``pictureQueue``, so that a few accounts can't fill it.
    package static let pictureQueuePerPerson = pictureQueue / 8
    /// Seconds that decoding one picture may take.
    package static let pictureSeconds = 20
    /// Bytes of memory that the process that decodes pictures may map.
    package static let pictureMemoryBytes = 1024 * 1024 * 1024
    /// Bytes of the decoding process's output: three JPEG files of at most 160, 640 and 1600 pixels a side.
    package static let pictureResponseBytes = 16 * 1024 * 1024
    /// Seconds after which an unfinished upload counts as crashed, and its objects as garbage.
    package static let pictureUploadSeconds: Int64 = 60 * 60
    /// Pictures of an earlier version whose size one run determines.
    package static let pictureMeasureBatch = 50
    /// Garbage objects removed in one run.
    package static let garbageBatch = 200
}
