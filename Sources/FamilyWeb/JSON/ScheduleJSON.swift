import Family
import Kernel
import Pictures
import Recurrence
import WebCore

/// A chore's schedule in the JSON API.
struct ChoreScheduleJSON: Encodable {
    let choreId: ID<Chore>
    let childIds: [PersonID]
    let startsOn: String
    @Nullable var dueTime: String?
    @Nullable var rule: String?
    let distribution: String
    @Nullable var offeredPoints: Int64?
    let graceMinutes: Int
    @Nullable var remindMinutesBefore: Int?
    let remindsWhenOverdue: Bool
    let timeZone: String
    let version: Int64

    init(_ schedule: ChoreSchedule, timeZone: String?) {
        choreId = schedule.choreID
        childIds = schedule.children
        startsOn = schedule.startsOn.text
        distribution = schedule.distribution.rawValue
        graceMinutes = schedule.graceMinutes
        remindsWhenOverdue = schedule.remindsWhenOverdue
        self.timeZone = timeZone ?? ScheduleFormState.defaultTimeZone
        version = schedule.version
        offeredPoints = schedule.offeredPoints
        remindMinutesBefore = schedule.remindMinutesBefore
        dueTime = schedule.dueTime?.text
        rule = schedule.rule?.rfc5545
    }
}

/// What is to do today, in the JSON API.
struct FamilyTodayJSON: Encodable {
    let date: String
    let items: [TodayEntryJSON]
    let streaks: [StreakJSON]

    init(_ today: FamilyToday) {
        date = today.date.text
        streaks = today.children.map { StreakJSON(childId: $0.id, days: today.streakDays(of: $0.id)) }
        items = today.entries.map { TodayEntryJSON($0, declined: today.declined(for: $0)) }
    }
}

/// The days in a row on which a child did a chore, in the JSON API.
struct StreakJSON: Encodable {
    let childId: PersonID
    let days: Int
}

/// An occurrence of a chore, or a request, in the JSON API.
struct TodayEntryJSON: Encodable {
    let state: String
    @Nullable var childId: PersonID?
    let candidateIds: [PersonID]
    @Nullable var choreId: ID<Chore>?
    let name: String
    let pictureId: ID<Picture>
    @Nullable var occurrence: String?
    @Nullable var dueTime: String?
    @Nullable var requestId: ID<ChoreRequest>?
    @Nullable var offeredPoints: Int64?
    @Nullable var points: Int?
    @Nullable var declined: DeclinedRequestJSON?

    init(_ entry: TodayEntry, declined: DeclinedRequest?) {
        state = entry.state.rawValue
        candidateIds = entry.candidates
        name = entry.name
        pictureId = entry.pictureID
        childId = entry.childID
        choreId = entry.choreID
        occurrence = entry.date?.text
        dueTime = entry.dueTime?.text
        requestId = entry.request?.id
        offeredPoints = entry.offeredPoints
        points = entry.points
        self.declined = declined.map(DeclinedRequestJSON.init)
    }
}

/// A declined request in the JSON API.
struct DeclinedRequestJSON: Encodable {
    @Nullable var reason: String?
    @Nullable var by: String?
    let at: Instant

    init(_ declined: DeclinedRequest) {
        at = declined.at
        reason = declined.reason
        by = declined.byName
    }
}
