import Kernel
import Recurrence

extension GeofenceSettings {
    /// Validates the data of a rule.
    /// - Parameter defaultTimeZone: The time zone of a rule without one; `nil` for UTC.
    /// - Throws: `AppError(.invalid)` with every invalid field: `kind`, `dwellMinutes`, `days`, `from`, `until`, `by`,
    ///   `timeZone`.
    init(_ input: GeofenceInput, defaultTimeZone: String? = nil) throws {
        var problems = FieldErrors<TrackingErrorMessage>()
        if input.place == nil { problems.refuse("placeId", .placeUnknown) }
        if input.kind == nil { problems.refuse("kind", .geofenceKindUnknown) }
        let dwell = input.dwellMinutes ?? 0
        if !Limits.dwellMinutes.contains(dwell) { problems.refuse("dwellMinutes", .dwellOutOfRange) }
        let codes = input.days ?? Weekday.allCases.map(\.code)
        let days = Set(codes.compactMap { Weekday(code: $0) })
        if days.isEmpty || days.count != Set(codes).count { problems.refuse("days", .daysMissing) }
        func time(_ text: String?, _ field: String) -> LocalTime? {
            guard let text, !text.isEmpty else { return nil }
            let time = LocalTime(text)
            if time == nil { problems.refuse(field, .timeUnreadable) }
            return time
        }
        let (from, until) = (time(input.from, "from"), time(input.until, "until"))
        let by = time(input.by, "by")
        if (from == nil) != (until == nil), problems.fields["from"] == nil, problems.fields["until"] == nil {
            problems.refuse(from == nil ? "from" : "until", .hoursIncomplete)
        }
        if input.kind == .absent, by == nil, problems.fields["by"] == nil { problems.refuse("by", .timeUnreadable) }
        // A form without a chosen time zone sends an empty one.
        let zone = try? LocalTimeZone(input.timeZone ?? defaultTimeZone ?? "UTC")
        if zone == nil { problems.refuse("timeZone", .timeZoneUnknown) }
        try problems.finish()
        guard let kind = input.kind, let zone else { throw AppError.notFound }
        self.init(
            kind: kind, dwellMinutes: kind == .absent ? 0 : dwell, days: days.sorted(),
            from: kind == .absent ? nil : from, until: kind == .absent ? nil : until,
            by: kind == .absent ? by : nil, timeZone: zone)
    }

    /// Whether the rule reports a crossing at a time. Hours over midnight belong to the day on which they start.
    func covers(_ instant: Instant) -> Bool {
        let date = timeZone.date(at: instant)
        guard let from, let until, from != until else { return days.contains(date.weekday) }
        let isLate = instant >= timeZone.instant(of: date, at: from)
        let isEarly = instant < timeZone.instant(of: date, at: until)
        if from < until { return isLate && isEarly && days.contains(date.weekday) }
        if isLate { return days.contains(date.weekday) }
        return isEarly && days.contains(date.adding(days: -1).weekday)
    }

    /// The next time after an instant at which the item should have arrived; `nil` for other kinds.
    func nextDeadline(after instant: Instant) -> Instant? {
        guard let by else { return nil }
        let today = timeZone.date(at: instant)
        return (0...8).lazy.map { today.adding(days: $0) }.filter { days.contains($0.weekday) }
            .map { timeZone.instant(of: $0, at: by) }.first { $0 > instant }
    }

    /// The deadline that is decided at an instant: the same instant, or one that was postponed by
    /// ``GeofenceRule/State/decision(ofDeadline:)``.
    func deadline(decidedAt instant: Instant) -> Instant {
        let earliest = instant.adding(seconds: -Limits.pendingArrivalSeconds)
        let before = Instant(millisecondsSince1970: earliest.millisecondsSince1970 - 1)
        guard let deadline = nextDeadline(after: before), deadline <= instant else { return instant }
        return deadline
    }

    /// The start of the local day of an instant.
    func startOfDay(of instant: Instant) -> Instant {
        timeZone.instant(of: timeZone.date(at: instant), at: .midnight)
    }
}
