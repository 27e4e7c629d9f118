import Kernel
import Notifications
import Storage

/// Stores alerts about items with their evidence, and notifies the people of the item, in the transaction that decides
/// them.
struct ItemAlertRecorder: Sendable {
    /// The item of an alert.
    struct Subject {
        let id: ID<Item>
        let owner: PersonID
        /// The name for the notified person; of an alert to several people, the owner's.
        let name: String
    }

    /// Stores an alert for each person of the item and notifies them.
    /// - Parameters:
    ///   - place: The item's last position, which the notification names in each person's words; `nil` for none.
    ///   - key: The time of the cause, so that the same cause is reported once.
    ///   - rule: Distinguishes several rules of the same kind; `nil` for a kind with one rule.
    func record(
        _ kind: ItemAlertKind, about subject: Subject, _ evidence: AlertEvidence, at place: Coordinate? = nil,
        details: [String: String], key: Instant, rule: String? = nil, now: Instant, in tx: Transaction
    ) throws {
        for one in try ItemAudience.people(of: subject.id, owner: subject.owner, name: subject.name, in: tx) {
            let named = Subject(id: subject.id, owner: subject.owner, name: one.itemName)
            try post(
                kind, about: named, evidence, at: place, details: details, key: key, rule: rule, to: one.person,
                now: now, in: tx)
        }
    }

    /// Stores an alert for one person and notifies them, unless they muted the item.
    func record(
        _ kind: ItemAlertKind, about subject: Subject, _ evidence: AlertEvidence, at place: Coordinate? = nil,
        details: [String: String], key: Instant, rule: String? = nil, to person: PersonID, now: Instant,
        in tx: Transaction
    ) throws {
        guard try !ItemMemberStore.isMuted(subject.id, by: person, owner: subject.owner, in: tx) else { return }
        try post(
            kind, about: subject, evidence, at: place, details: details, key: key, rule: rule, to: person, now: now,
            in: tx)
    }

    private func post(
        _ kind: ItemAlertKind, about subject: Subject, _ evidence: AlertEvidence, at place: Coordinate?,
        details: [String: String], key: Instant, rule: String?, to person: PersonID, now: Instant, in tx: Transaction
    ) throws {
        let notice = kind.notice
        let about = [notice.rawValue, subject.id.description] + [rule].compactMap(\.self)
        let id = ID<Notice>(about: person == subject.owner ? about : about + [person.description], at: key)
        guard let alert = ID<ItemAlert>(id.description) else { return }
        try ItemAlertStore.insert(
            ItemAlert(id: alert, item: subject.id, kind: kind, at: now, evidence: evidence), person: person, in: tx)
        var details = details
        details["alert"] = "/tracking/alerts/\(id)"
        if let place {
            details["place"] = place.plainText
            details.merge(try Self.description(of: place, for: person, in: tx).noticeDetails) { $1 }
        }
        try Notice(
            id: id, person: person, kind: notice, resource: TrackingEvents.path(subject.id), subject: subject.name,
            details: details, at: now
        ).post(in: tx)
    }

    /// Where a position is in a person's words: from their safe places, or an address that is known already.
    private static func description(
        of position: Coordinate, for person: PersonID, in tx: Transaction
    ) throws -> PlaceDescription {
        let named = try PlaceNames.all(for: person, in: tx).description(of: position)
        guard let unnamed = named.unnamed else { return named }
        let known = try AddressStore.addresses(of: [AddressCell(unnamed)], in: tx)
        return KnownAddresses(texts: known.compactMapValues { $0 }).resolve(named)
    }
}

extension ItemAlertRecorder.Subject {
    init(_ item: Item) { self.init(id: item.id, owner: item.owner, name: item.name) }
}

extension ItemAlertKind {
    /// The kind of the notification.
    var notice: NoticeKind {
        switch self {
        case .separation: .itemTooFar
        case .batteryLow: .batteryLow
        case .silent: .itemSilent
        case .moved: .itemMoved
        case .arrived: .itemArrived
        case .left: .itemLeft
        case .notArrived: .itemNotArrived
        }
    }
}
