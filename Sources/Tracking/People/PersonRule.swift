package import Kernel

/// A rule about a person who shares their position: a notification when they arrive at a safe place of the rule's
/// owner, leave it, or haven't arrived in time.
package struct PersonRule: Sendable, Equatable {
    package let id: ID<PersonRule>
    /// The person whom the rule is about.
    package let person: PersonID
    /// The person who made the rule, and who owns the place.
    package let owner: PersonID
    package let place: ID<SafePlace>
    package let placeName: String
    package let settings: GeofenceSettings
    /// Increases by one with each change.
    package let version: Int64
    package let createdAt: Instant
}
