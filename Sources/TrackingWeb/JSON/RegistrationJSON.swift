import Foundation
import Kernel
import Tracking

/// The command that releases a tracker, as JSON for pages.
struct ReleaseJSON: Encodable {
    let tracker: String
    /// The command's frame in base64.
    let release: String

    init(_ release: TrackerRelease) {
        tracker = release.tracker.description
        self.release = Data(release.frame).base64EncodedString()
    }
}

/// A register request, as JSON for pages.
struct RegistrationJSON: Encodable {
    let tracker: String
    /// The packed request in base64.
    let request: String
    let expiresAt: Instant

    init(_ registration: TrackerRegistration) {
        tracker = registration.tracker.description
        request = Data(registration.request).base64EncodedString()
        expiresAt = registration.expiresAt
    }
}
