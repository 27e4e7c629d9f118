package import TrackerProtocol

/// The data of a tracker that its finder may know.
package struct FoundTracker: Hashable, Sendable {
    /// The tracker's id, by which an administrator can identify it.
    package let id: TrackerID
    /// The owner's email address or phone number, masked; `nil` when the server knows neither.
    package let contact: MaskedContact?
}
