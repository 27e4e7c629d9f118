import Kernel
import Notifications
import Storage

/// Notifies people of the sharing of positions.
struct PositionShareNotifier: Sendable {
    /// What happened.
    enum Event: String {
        /// A person shares their position with the notified one.
        case shared
        /// A person no longer shares their position with the notified one.
        case ended
        /// The notified person's sharing ended by its time.
        case expired
        /// The notified person's sharing ended for another reason than their own act.
        case stopped
        /// A person asks the notified one to share their position.
        case asked
        /// A person declined the notified one's request.
        case declined
        /// A person has a new or changed rule about the notified one.
        case ruleSet
        /// A person ended the notified one's rule about them.
        case ruleEnded
    }

    /// Notifies one person.
    /// - Parameters:
    ///   - who: The person named in the text.
    ///   - key: Distinguishes events of the same people at the same time.
    func notify(
        _ person: PersonID, _ event: Event, who: PersonID, key: String = "", details: [String: String] = [:],
        now: Instant, in tx: Transaction
    ) throws {
        var details = details
        details["event"] = event.rawValue
        let named = NamedPerson(who, try ItemMemberStore.name(of: who, in: tx))
        let resource =
            switch event {
            case .shared, .ruleEnded: TrackingEvents.path(person: who)
            case .ended, .declined: TrackingEvents.people
            case .expired, .stopped, .asked, .ruleSet: TrackingEvents.myPosition
            }
        if event == .ended { details["forgets"] = TrackingEvents.path(person: who) }
        try Notice(
            id: ID(
                about: [
                    NoticeKind.positionShared.rawValue, person.description, event.rawValue, who.description, key,
                ], at: now),
            person: person, kind: .positionShared, resource: resource, subject: named.name,
            details: details, people: ["who": named, "subject": named], at: now
        ).post(in: tx)
    }
}

extension PositionShareNotifier {
    /// Notifies a person of a new or changed rule about them.
    func notify(ofRule rule: PersonRule, now: Instant, in tx: Transaction) throws {
        try notify(
            rule.person, .ruleSet, who: rule.owner, key: "\(rule.id) \(rule.version)",
            details: ["rulePlace": rule.placeName, "rule": rule.settings.kind.rawValue], now: now, in: tx)
        try tx.publish(TrackingEvents.sharing(of: rule.person, now: now))
        try tx.publish(TrackingEvents.position(of: rule.person, to: rule.owner, now: now))
    }
}

extension TrackingEvents {
    /// The page about the sharing of one's own position, which children use as well.
    static let myPosition = "/my-position"
    static let people = "/tracking/people"

    static func path(person: PersonID) -> String { "\(people)/\(person)" }

    /// The event for a new position of a person, or for the start or the end of its sharing.
    static func position(of person: PersonID, to viewer: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: viewer, kind: "person", resource: path(person: person), version: 0, at: now)
    }

    /// The event for a change of what a person shares, or of who viewed it.
    static func sharing(of person: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: person, kind: "my-position", resource: myPosition, version: 0, at: now)
    }

    /// The event for the end of a sharing: browsers forget the person's pages.
    static func sharingEnded(of person: PersonID, with viewer: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: viewer, kind: "access", resource: path(person: person), version: 0, at: now)
    }
}
