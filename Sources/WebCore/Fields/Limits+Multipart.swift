package import Kernel
import Pictures

extension Limits {
    /// Bytes of a multipart body around a picture of ``pictureBytes``.
    package static let multipartBytes = pictureBytes + 64 * 1024
}
