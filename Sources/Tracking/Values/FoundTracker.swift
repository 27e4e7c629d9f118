package import TrackerProtocol

/// All that whoever found a tracker is told of it and its owner.
package struct FoundTracker: Hashable, Sendable {
    /// The tracker's id: what an operator can be asked about.
    package let id: TrackerID
    /// The owner's email or telephone number, masked; `nil` when the server knows neither.
    package let contact: MaskedContact?
}
