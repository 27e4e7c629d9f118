import Accounts
import Kernel
import Notifications
import Storage

/// The content of a household's notification.
struct HouseholdNotification: Sendable {
    let event: HouseholdEvent
    /// The ids that distinguish this event from others of its kind at the same time.
    let about: [String]
    let resource: String
    let subject: String
    var details: [String: String] = [:]
    /// The child or the parent that the event concerns.
    var person: PersonID?
    /// The person who caused the event and isn't notified; `nil` if no person caused it.
    let actor: PersonID?
    /// The time for the notification's id, if it differs from the time of the event.
    var idMoment: Instant?
}

extension FamilyService {
    /// Notifies the recipients of an event, in the event's transaction.
    static func notify(_ news: HouseholdNotification, of household: ID<Household>, now: Instant, in tx: Transaction)
        throws
    {
        for recipient in try recipients(of: news, household, in: tx) {
            var details = news.details
            if news.event.recipients == .parentsAndSubject, recipient == news.person { details["isYou"] = "true" }
            let kind = news.event.kind
            let about = [kind.rawValue, news.event.rawValue] + news.about + [recipient.description]
            let notice = Notice(
                id: ID(about: about, at: news.idMoment ?? now), person: recipient, kind: kind,
                resource: news.resource, subject: news.subject, details: details, at: now
            )
            try notice.post(in: tx)
        }
    }

    /// Returns each recipient once, without the person who caused the event.
    private static func recipients(
        of news: HouseholdNotification, _ household: ID<Household>, in tx: Transaction
    ) throws -> [PersonID] {
        var people: [PersonID] = []
        if news.event.recipients != .parents, let person = news.person { people.append(person) }
        if news.event.recipients != .child {
            people += try HouseholdStore.parents(of: household, in: tx)
        }
        var seen: Set<PersonID> = []
        return people.filter { $0 != news.actor && seen.insert($0).inserted }
    }

    static func name(of person: PersonID, in tx: Transaction) throws -> String {
        try tx.row("SELECT name FROM account WHERE id = \(person)")?.get("name", as: String.self) ?? ""
    }

    /// Notifies a child of points for chores, and the child and all parents of the levels that it reached with them.
    func notify(
        of assignments: [NewAssignment], levels: [(contract: ID<Contract>, level: StoredContract.Level)],
        child: PersonID, by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        let name = try Self.name(of: child, in: tx)
        for assignment in assignments {
            let news = HouseholdNotification(
                event: .pointsGiven, about: [assignment.id.description], resource: FamilyEvents.child(child),
                subject: assignment.chore.name, details: ["points": String(assignment.points), "child": name],
                person: child, actor: householdActor.person
            )
            try Self.notify(news, of: householdActor.household, now: now, in: tx)
        }
        for (contract, level) in levels {
            let news = HouseholdNotification(
                event: .levelReached, about: [contract.description, String(level.number)],
                resource: FamilyEvents.child(child), subject: level.reward,
                details: ["reward": level.reward, "child": name, "level": String(level.number)], person: child,
                actor: householdActor.person
            )
            try Self.notify(news, of: householdActor.household, now: now, in: tx)
        }
    }

    /// Notifies the parents of a child's request.
    func notify(of request: ChoreRequest, by householdActor: HouseholdActor, now: Instant, in tx: Transaction) throws {
        let news = HouseholdNotification(
            event: .choreRequested, about: [request.id.description], resource: FamilyEvents.request(request),
            subject: request.name, details: ["child": try Self.name(of: request.childID, in: tx)],
            person: request.childID, actor: householdActor.person
        )
        try Self.notify(news, of: householdActor.household, now: now, in: tx)
    }

    /// Removes the notifications of a request that a parent decided or the child withdrew.
    func withdrawNotices(of request: ChoreRequest, _ household: ID<Household>, now: Instant, in tx: Transaction) throws
    {
        for parent in try HouseholdStore.parents(of: household, in: tx) {
            try Notice.withdraw(about: FamilyEvents.request(request), from: parent, at: now, in: tx)
        }
    }

    /// Notifies a child that a parent declined its request, undid an assignment or gave it a new contract.
    func notify(
        _ child: PersonID, of event: HouseholdEvent, about: String, subject: String, details: [String: String],
        by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        var details = details
        details["who"] = try Self.name(of: householdActor.person, in: tx)
        let news = HouseholdNotification(
            event: event, about: [about], resource: FamilyEvents.child(child), subject: subject, details: details,
            person: child, actor: householdActor.person
        )
        try Self.notify(news, of: householdActor.household, now: now, in: tx)
    }

    /// Notifies the other parents that a parent created a child's sign-in code: at most once in
    /// ``Limits/codeNotificationSeconds``, because an open page creates a new code every few minutes.
    func notifyOfCode(of child: PersonID, by householdActor: HouseholdActor, now: Instant, in tx: Transaction) throws {
        let news = HouseholdNotification(
            event: .codeMade, about: [child.description, householdActor.person.description],
            resource: "\(FamilyEvents.child(child))/devices", subject: try Self.name(of: child, in: tx),
            details: [
                "who": try Self.name(of: householdActor.person, in: tx), "child": try Self.name(of: child, in: tx),
            ],
            person: child, actor: householdActor.person,
            idMoment: now.rounded(down: Limits.codeNotificationSeconds)
        )
        try Self.notify(news, of: householdActor.household, now: now, in: tx)
    }

    /// Notifies all parents of each device that signs in as a child. The parent who created the code is one of them:
    /// another person may have created it with their session.
    func notifyOfSignIn(
        of child: PersonID, _ household: ID<Household>, session: ID<Session>, device: String, now: Instant,
        in tx: Transaction
    ) throws {
        let news = HouseholdNotification(
            event: .childSignedIn, about: [child.description, session.description],
            resource: "\(FamilyEvents.child(child))/devices",
            subject: try Self.name(of: child, in: tx), details: ["device": device], person: child, actor: nil
        )
        try Self.notify(news, of: household, now: now, in: tx)
    }

    /// Notifies the parents that one of them joined or left, or of a step of a removal.
    /// - Parameters:
    ///   - who: the acting person named in the text; `nil` for none.
    ///   - until: when an announced removal takes effect.
    func notify(
        _ event: HouseholdEvent, of parent: PersonID, _ household: ID<Household>, by actor: PersonID?,
        who: PersonID? = nil, until: Instant? = nil, resource: String = FamilyEvents.account, now: Instant,
        in tx: Transaction
    ) throws {
        var details: [String: String] = [:]
        if let who { details["who"] = try Self.name(of: who, in: tx) }
        if let step = event.step { details["step"] = step }
        if let until { details["until"] = until.rfc3339 }
        let news = HouseholdNotification(
            event: event, about: [parent.description], resource: resource,
            subject: try Self.name(of: parent, in: tx), details: details, person: parent, actor: actor
        )
        try Self.notify(news, of: household, now: now, in: tx)
    }
}

extension Instant {
    /// Returns the start of the period of `seconds` that contains this instant; periods are counted from 1970.
    func rounded(down seconds: Int64) -> Instant {
        Instant(millisecondsSince1970: millisecondsSince1970 / (seconds * 1_000) * seconds * 1_000)
    }
}
