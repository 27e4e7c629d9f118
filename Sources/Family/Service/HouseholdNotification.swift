import Kernel
import Notifications

/// The content of a household's notification.
struct HouseholdNotification: Sendable {
    let event: HouseholdEvent
    /// The ids that distinguish this event from others of its kind at the same time.
    let about: [String]
    let resource: String
    let subject: String
    var details: [String: String] = [:]
    /// The values that are names: `who`, `child`, or `subject` for ``subject``.
    var people: [String: NamedPerson?] = [:]
    /// The child or the parent that the event concerns.
    var person: PersonID?
    /// The person who caused the event and isn't notified; `nil` if no person caused it.
    let actor: PersonID?
    /// The time for the notification's id, if it differs from the time of the event.
    var idMoment: Instant?
}
