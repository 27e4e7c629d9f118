package import Kernel

/// The hardware that a tracker's id identifies.
package enum TrackerDevice {}

/// A tracker's id, made by the server at first contact.
package typealias TrackerID = ID<TrackerDevice>

/// The owner relation of a tracker, identified by a value that only the server interprets (the item's id).
package enum TrackerBinding {}

/// The id of a binding.
package typealias TrackerBindingID = ID<TrackerBinding>

/// The radio that a tracker prefers.
package enum TrackerMode: String, CaseIterable, Sendable {
    /// The owner's phone is near.
    case bluetooth
    /// The owner's phone is far.
    case cellular
}

/// The phase of a tracker's life cycle, as the tracker reports it.
package enum TrackerPhase: String, CaseIterable, Sendable {
    /// The server doesn't know the tracker.
    case unbound
    /// The server knows the tracker; no owner has claimed it.
    case registering
    /// The tracker has an owner but has not been activated.
    case bound
    /// The tracker locates.
    case active
    /// The tracker has an owner, doesn't locate, and polls for commands.
    case off
    /// The tracker received its release and has yet to confirm it.
    case releasing
}
