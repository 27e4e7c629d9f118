import Kernel
import Notifications
import Recurrence
import Storage

/// Follows the positions of people who share theirs, in the transaction that stores them: publishes them to the people
/// who see them, and evaluates the rules about them.
struct PersonFollower: Sendable {
    let households: any HouseholdPeopleReader

    /// Follows positions of a person's phones.
    func phoneMoved(of person: PersonID, _ sample: PositionSample, now: Instant, in tx: Transaction) throws {
        try follow(person, item: nil, [sample], now: now, in: tx)
    }

    /// Follows positions of an item that shows where its owner is.
    /// - Parameter samples: The new positions, the oldest first.
    func itemMoved(
        _ item: ID<Item>, of owner: PersonID, _ samples: [PositionSample], now: Instant, in tx: Transaction
    ) throws {
        try follow(owner, item: item, samples, now: now, in: tx)
    }

    private func follow(
        _ person: PersonID, item: ID<Item>?, _ samples: [PositionSample], now: Instant, in tx: Transaction
    ) throws {
        for viewer in try PositionShareStore.viewers(of: person, item: item, now: now, in: tx) {
            try tx.publish(TrackingEvents.position(of: person, to: viewer, now: now))
        }
        for var watched in try PersonRuleStore.watched(about: person, item: item, now: now, in: tx) {
            let before = watched.state
            for sample in samples {
                let step = watched.geofence.step(from: watched.state, sample)
                watched.state = step.state
                guard let crossing = step.crossing else { continue }
                if crossing.isArrival { watched.arrivedAt = crossing.since }
                try report(crossing, by: watched.rule, now: now, in: tx)
            }
            guard watched.state != before else { continue }
            // The first known side is no crossing, and counts as an arrival for a deadline.
            if before.isInside == nil, watched.state.isInside == true, watched.arrivedAt == nil {
                watched.arrivedAt = watched.state.evaluatedAt
            }
            try PersonRuleStore.update(watched.state, arrivedAt: watched.arrivedAt, of: watched.rule.id, in: tx)
        }
    }

    private func report(
        _ crossing: GeofenceRule.Crossing, by rule: PersonRule, now: Instant, in tx: Transaction
    ) throws {
        guard rule.settings.kind == (crossing.isArrival ? .arrive : .leave), rule.settings.covers(crossing.since),
            now.seconds(since: crossing.sample.at) < Double(Limits.crossingAlertSeconds)
        else { return }
        try PersonRuleNotice(households: households).post(
            crossing.isArrival ? "arrived" : "left", rule, ["crossedAt": crossing.since.rfc3339], key: crossing.since,
            now: now, in: tx)
    }
}

/// Notifies of people who haven't arrived in time; a part of housekeeping.
struct PersonDeadlineService: Sendable {
    let database: Database
    let households: any HouseholdPeopleReader

    func run(now: Instant) async throws {
        while true {
            let due = try await database.read { tx in try PersonRuleStore.due(now: now, in: tx) }
            for id in due {
                try Task.checkCancellation()
                try await database.write { tx in try evaluate(id, now: now, in: tx) }
            }
            guard due.count == Limits.housekeepingBatch else { return }
        }
    }

    private func evaluate(_ id: ID<PersonRule>, now: Instant, in tx: Transaction) throws {
        // Another node may have come before.
        guard let watched = try PersonRuleStore.lock(id, in: tx), let dueAt = try PersonRuleStore.dueAt(id, in: tx),
            dueAt <= now
        else { return }
        let rule = watched.rule
        let settings = rule.settings
        let deadline = settings.deadline(decidedAt: dueAt)
        if let later = watched.state.decision(ofDeadline: deadline), later > now {
            return try PersonRuleStore.setDue(later, id, in: tx)
        }
        try PersonRuleStore.setDue(settings.nextDeadline(after: now), id, in: tx)
        let startOfDay = settings.startOfDay(of: deadline)
        let hasBeen = watched.arrivedAt.map { $0 >= startOfDay } ?? false
        // Without any position nothing is known: the person's app may be closed.
        guard watched.state.isInside != true, !hasBeen,
            now.seconds(since: deadline) < Double(Limits.crossingAlertSeconds),
            let share = try PositionShareStore.share(of: rule.person, with: rule.owner, now: now, in: tx),
            let last = try PositionShareStore.position(of: share, now: now, in: tx)
        else { return }
        try PersonRuleNotice(households: households).post(
            "notArrived", rule, ["by": settings.by?.text ?? "", "lastSeenAt": last.at.rfc3339], key: deadline, now: now,
            in: tx)
    }
}

/// The notification of a rule about a person. It contains no position: there is no history of people.
private struct PersonRuleNotice {
    let households: any HouseholdPeopleReader

    /// Posts it if the owner of the rule is in the household of the person.
    func post(
        _ event: String, _ rule: PersonRule, _ details: [String: String], key: Instant, now: Instant,
        in tx: Transaction
    ) throws {
        // The end of a membership ends the sharing. This holds even if it didn't.
        guard try households.adults(with: rule.person, in: tx).contains(where: { $0.id == rule.owner }) else { return }
        let about = [NoticeKind.personCrossed.rawValue, rule.id.description, event]
        let more = ["event": event, "rulePlace": rule.placeName]
        let name = try FirstName.of(rule.person, in: tx)
        try Notice(
            id: ID(about: about, at: key), person: rule.owner, kind: .personCrossed,
            resource: TrackingEvents.path(person: rule.person), subject: name, details: details.merging(more) { $1 },
            people: ["subject": NamedPerson(rule.person, name)], at: now
        ).post(in: tx)
    }
}
