import Accounts
import Kernel
import Notifications
import Recurrence
import Storage

/// Notifies children of points, contracts and declined requests, and parents of what children do.
struct ChildNotifier: Sendable {
    let notifier: FamilyNotifier

    /// Notifies a child of points for chores, and the child and all parents of the levels that it reached with them.
    /// All parents are also notified of points that were given automatically.
    func notify(
        of assignments: [NewAssignment], levels: [(contract: ID<Contract>, level: StoredContract.Level)],
        child: PersonID, by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        let people = ["child": try HouseholdStore.named(child, in: tx)]
        let isAutomatic = assignments.contains(where: \.isAutomatic)
        let actor = isAutomatic ? nil : householdActor.person
        for assignment in assignments {
            let notification = HouseholdNotification(
                event: isAutomatic ? .choreCounted : .pointsGiven, about: [assignment.id.description],
                resource: FamilyEvents.child(child),
                subject: assignment.chore.name, details: ["points": String(assignment.points)],
                people: people, person: child, actor: actor
            )
            try notifier.notify(notification, of: householdActor.household, now: now, in: tx)
        }
        for (contract, level) in levels {
            let notification = HouseholdNotification(
                event: .levelReached, about: [contract.description, String(level.number)],
                resource: FamilyEvents.child(child), subject: level.reward,
                details: ["reward": level.reward, "level": String(level.number)],
                people: people, person: child, actor: actor
            )
            try notifier.notify(notification, of: householdActor.household, now: now, in: tx)
        }
    }

    /// Notifies the parents of a child's request.
    func notify(of request: ChoreRequest, by householdActor: HouseholdActor, now: Instant, in tx: Transaction) throws {
        let notification = HouseholdNotification(
            event: .choreRequested, about: [request.id.description], resource: FamilyEvents.request(request),
            subject: request.name, people: ["child": try HouseholdStore.named(request.childID, in: tx)],
            person: request.childID, actor: householdActor.person
        )
        try notifier.notify(notification, of: householdActor.household, now: now, in: tx)
    }

    /// Notifies the parents of a child's purchase.
    func notify(of purchase: Purchase, by householdActor: HouseholdActor, now: Instant, in tx: Transaction) throws {
        let notification = HouseholdNotification(
            event: .rewardBought, about: [purchase.id.description], resource: FamilyEvents.purchase(purchase),
            subject: purchase.name,
            details: ["points": String(purchase.price), "step": purchase.state.rawValue],
            people: ["child": try HouseholdStore.named(purchase.childID, in: tx)], person: purchase.childID,
            actor: householdActor.person)
        try notifier.notify(notification, of: householdActor.household, now: now, in: tx)
    }

    /// Notifies a child of a parent's decision on its purchase, and removes the parents' notifications of it.
    func notify(
        of event: HouseholdEvent, _ purchase: Purchase, reason: String? = nil, by householdActor: HouseholdActor,
        now: Instant, in tx: Transaction
    ) throws {
        try withdrawNotifications(of: purchase, householdActor.household, now: now, in: tx)
        var details = ["points": String(purchase.price)]
        details["step"] = event.step
        details["reason"] = reason
        let notification = HouseholdNotification(
            event: event, about: [purchase.id.description], resource: FamilyEvents.shop, subject: purchase.name,
            details: details, people: ["who": try HouseholdStore.named(householdActor.person, in: tx)],
            person: purchase.childID, actor: householdActor.person)
        try notifier.notify(notification, of: householdActor.household, now: now, in: tx)
    }

    /// Notifies the parents of a child's wish.
    func notify(of wish: Wish, by householdActor: HouseholdActor, now: Instant, in tx: Transaction) throws {
        let notification = HouseholdNotification(
            event: .wishAdded, about: [wish.id.description], resource: FamilyEvents.wish(wish), subject: wish.name,
            people: ["child": try HouseholdStore.named(wish.childID, in: tx)], person: wish.childID,
            actor: householdActor.person)
        try notifier.notify(notification, of: householdActor.household, now: now, in: tx)
    }

    /// Removes the notifications of a wish that a parent decided or the child withdrew.
    func withdrawNotifications(
        of wish: Wish, _ household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try notifier.withdraw(about: [FamilyEvents.wish(wish)], from: household, now: now, in: tx)
    }

    /// Removes the notifications of a purchase that a parent decided or the child cancelled.
    func withdrawNotifications(
        of purchase: Purchase, _ household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try notifier.withdraw(about: [FamilyEvents.purchase(purchase)], from: household, now: now, in: tx)
    }

    /// Removes the notifications of a request that a parent decided or the child withdrew.
    func withdrawNotifications(
        of request: ChoreRequest, _ household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try notifier.withdraw(about: [FamilyEvents.request(request)], from: household, now: now, in: tx)
    }

    /// Notifies a child that a parent declined its request, undid an assignment or gave it a new contract.
    func notify(
        _ child: PersonID, of event: HouseholdEvent, about: String, subject: String, details: [String: String],
        by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        let notification = HouseholdNotification(
            event: event, about: [about], resource: FamilyEvents.child(child), subject: subject, details: details,
            people: ["who": try HouseholdStore.named(householdActor.person, in: tx)], person: child,
            actor: householdActor.person
        )
        try notifier.notify(notification, of: householdActor.household, now: now, in: tx)
    }

    /// Notifies a child that a chore is its turn now, or that it can claim one.
    func notifyOfTurn(
        _ event: HouseholdEvent, _ chore: Chore, on date: LocalDate, of child: PersonID, points: Int64? = nil,
        by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        var details = ["date": date.text]
        details["points"] = points.map { String($0) }
        let notification = HouseholdNotification(
            event: event, about: [chore.id.description, date.text], resource: FamilyEvents.today, subject: chore.name,
            details: details, people: ["who": try HouseholdStore.named(householdActor.person, in: tx)], person: child,
            actor: householdActor.person)
        try notifier.notify(notification, of: householdActor.household, now: now, in: tx)
    }

    /// Notifies a child that a chore is due soon, or the child and the parents that it is overdue.
    /// - Parameter isClaimable: whether several children can do it, so that the parents are notified once.
    func remind(
        of event: HouseholdEvent, _ chore: Chore, _ occurrence: Occurrence, _ child: PersonID, isClaimable: Bool,
        of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        var about = [chore.id.description, occurrence.date.text]
        var people: [String: NamedPerson?] = [:]
        if !isClaimable {
            about.append(child.description)
            people["child"] = try HouseholdStore.named(child, in: tx)
        }
        let notification = HouseholdNotification(
            event: event, about: about, resource: FamilyEvents.today, subject: chore.name,
            details: ["until": occurrence.due.rfc3339], people: people, person: child, actor: nil,
            idMoment: occurrence.due)
        try notifier.notify(notification, of: household, now: now, in: tx)
    }

    /// Notifies a child and the parents of what it did in the week before a Monday.
    func notifyOfWeek(
        before monday: LocalDate, of child: PersonID, chores: Int, points: Int64, of household: ID<Household>,
        now: Instant, in tx: Transaction
    ) throws {
        let named = try HouseholdStore.named(child, in: tx)
        let notification = HouseholdNotification(
            event: .weekReviewed, about: [child.description, monday.text], resource: FamilyEvents.child(child),
            subject: named.name, details: ["chores": String(chores), "points": String(points)],
            people: ["child": named, "subject": named], person: child, actor: nil)
        try notifier.notify(notification, of: household, now: now, in: tx)
    }

    /// Removes the parents' notifications of a swap that is over.
    func withdrawNotifications(
        ofSwap swap: StoredSwap, _ household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try notifier.withdraw(about: [FamilyEvents.swap(swap.id)], from: household, now: now, in: tx)
    }

    /// Notifies a child, or the parents, of a swap of turns.
    func notifyOfSwap(
        _ event: HouseholdEvent, _ swap: StoredSwap, of child: PersonID?, about chore: String,
        by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        let people = [
            "who": try HouseholdStore.named(householdActor.person, in: tx),
            "child": try HouseholdStore.named(swap.child, in: tx),
        ]
        let notification = HouseholdNotification(
            event: event, about: [swap.id.description],
            resource: event == .swapDone ? FamilyEvents.today : FamilyEvents.swap(swap.id),
            subject: chore, people: people, person: child, actor: householdActor.person)
        try notifier.notify(notification, of: householdActor.household, now: now, in: tx)
    }

    /// Notifies the child, or all children, and the other parents of a pause.
    /// - Parameter moment: when a planned pause begins, or the end of one that has begun; `nil` if a parent ends it.
    func notifyOfPause(
        _ event: HouseholdEvent, _ id: ID<Pause>, of child: PersonID?, moment: Instant?,
        by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        let named = try child.map { try HouseholdStore.named($0, in: tx) }
        let who = try HouseholdStore.named(householdActor.person, in: tx)
        var details: [String: String] = [:]
        details["until"] = moment?.rfc3339
        let notification = HouseholdNotification(
            event: event, about: [id.description], resource: FamilyEvents.today, subject: (named ?? who).name,
            details: details, people: ["who": who, "child": named, "subject": named ?? who], person: child,
            actor: householdActor.person)
        try notifier.notify(notification, of: householdActor.household, now: now, in: tx)
    }

    /// Notifies the other parents that a parent created a child's sign-in code: at most once in
    /// ``Limits/codeNotificationSeconds``, because an open page creates a new code every few minutes.
    func notifyOfCode(of child: PersonID, by householdActor: HouseholdActor, now: Instant, in tx: Transaction) throws {
        let named = try HouseholdStore.named(child, in: tx)
        let notification = HouseholdNotification(
            event: .codeMade, about: [child.description, householdActor.person.description],
            resource: FamilyEvents.devices(of: child), subject: named.name,
            people: [
                "who": try HouseholdStore.named(householdActor.person, in: tx), "child": named, "subject": named,
            ],
            person: child, actor: householdActor.person,
            idMoment: now.rounded(down: Limits.codeNotificationSeconds)
        )
        try notifier.notify(notification, of: householdActor.household, now: now, in: tx)
    }

    /// Notifies all parents of each device that signs in as a child. The parent who created the code is one of them:
    /// another person may have created it with their session.
    func notifyOfSignIn(
        of child: PersonID, _ household: ID<Household>, session: ID<Session>, device: String, now: Instant,
        in tx: Transaction
    ) throws {
        let named = try HouseholdStore.named(child, in: tx)
        let notification = HouseholdNotification(
            event: .childSignedIn, about: [child.description, session.description],
            resource: FamilyEvents.devices(of: child),
            subject: named.name, details: ["device": device], people: ["subject": named], person: child, actor: nil
        )
        try notifier.notify(notification, of: household, now: now, in: tx)
    }

    /// Notifies all parents of a device that was paired as a shared tablet.
    func notifyOfTablet(
        _ tablet: ID<Tablet>, device: String, of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        let notification = HouseholdNotification(
            event: .tabletPaired, about: [tablet.description], resource: FamilyEvents.tablets, subject: device,
            details: ["device": device], person: nil, actor: nil)
        try notifier.notify(notification, of: household, now: now, in: tx)
    }
}
