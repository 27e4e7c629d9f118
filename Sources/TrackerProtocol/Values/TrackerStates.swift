package import Kernel

/// The hardware that a tracker's id identifies.
package enum TrackerDevice {}

/// A tracker's id, made by the server at first contact.
package typealias TrackerID = ID<TrackerDevice>

/// Whom a tracker serves, as a value that only the server gives meaning to (the item's id).
package enum TrackerBinding {}

/// An id of a binding.
package typealias TrackerBindingID = ID<TrackerBinding>

/// Which radio a tracker prefers.
package enum TrackerMode: String, CaseIterable, Sendable {
    /// The owner's phone is near.
    case bluetooth
    /// The owner's phone is far.
    case cellular
}

/// Where a tracker is in its life, as it says itself.
package enum TrackerPhase: String, CaseIterable, Sendable {
    /// The server doesn't know it yet.
    case unbound
    /// The server knows it; it waits for an owner to claim it.
    case registering
    /// It has an owner but was not told to locate yet.
    case bound
    /// It locates.
    case active
    /// It has an owner, doesn't locate, and listens for commands.
    case off
    /// It was told to forget its owner, and is about to confirm that.
    case releasing
}
