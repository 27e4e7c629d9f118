package import Kernel
package import Recurrence

/// Days of the week.
package struct TripDays: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The codes of RFC 5545, Monday first.
    package static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// Returns `nil` if a code is unknown.
    package init?(codes: [String]) {
        var value = 0
        for code in codes {
            guard let index = Self.codes.firstIndex(of: code) else { return nil }
            value |= 1 << index
        }
        rawValue = value
    }

    package var codes: [String] { Self.codes.indices.filter { rawValue & (1 << $0) != 0 }.map { Self.codes[$0] } }

    /// Returns the start of the first of these days in a time zone, today included. Without days, every day is one.
    func nextStart(_ now: Instant, in zone: @autoclosure () -> LocalTimeZone) -> Instant {
        guard !isEmpty else { return now }
        let zone = zone()
        let today = zone.date(at: now)
        for ahead in Self.codes.indices {
            let day = today.adding(days: ahead)
            if rawValue & (1 << day.weekday.rawValue) != 0 { return max(now, zone.instant(of: day, at: .midnight)) }
        }
        return now
    }
}

/// A way that a person travels, and on which they would take packages along.
package struct Trip: Sendable, Hashable {
    package let id: ID<Trip>
    package let person: PersonID
    /// 1 to ``Limits/placeCharacters`` characters.
    package let from: String
    package let to: String
    package let start: Coordinate
    package let end: Coordinate
    /// Empty for every day.
    package let days: TripDays
    /// The traveller's time zone, in which the days count; `nil` for solar time at ``start``.
    package let timeZone: LocalTimeZone?
    /// Extra metres that the person accepts.
    package let detourMetres: Int64
    /// The largest size that fits; `nil` for any.
    package let size: PackageSize?
    package let createdAt: Instant
    package let version: Int64

    /// Returns the start of the next day of the trip.
    func nextStart(_ now: Instant) -> Instant {
        days.nextStart(now, in: timeZone ?? LocalTimeZone(at: start))
    }

    /// The great-circle distance in metres.
    package var lengthMetres: Double { start.distanceMetres(to: end) }

    /// Returns the extra metres of a package from and to these areas: the way to its origin, from there to its
    /// destination, and on to the end of the trip, less the trip itself.
    package func extraMetres(from origin: Coordinate, to destination: Coordinate) -> Double {
        start.distanceMetres(to: origin) + origin.distanceMetres(to: destination)
            + destination.distanceMetres(to: end) - lengthMetres
    }

    /// The sizes that fit.
    var fittingSizes: [PackageSize] { PackageSize.allCases.filter { size?.holds($0) ?? true } }
}

extension PackageSize {
    /// Whether something of another size fits, too.
    func holds(_ other: PackageSize) -> Bool {
        guard let mine = Self.allCases.firstIndex(of: self), let others = Self.allCases.firstIndex(of: other) else {
            return false
        }
        return others <= mine
    }
}

/// A trip that isn't validated yet; `nil` means missing.
package struct TripInput: Sendable {
    let from: String?
    let to: String?
    let start: PackageEndInput
    let end: PackageEndInput
    let days: [String]
    let timeZone: String?
    let detourKilometres: Int64?
    let size: PackageSize?

    /// - Parameters:
    ///   - days: codes of ``TripDays``; none for every day.
    ///   - timeZone: the name of a time zone of the IANA database; `nil` keeps that of the trip.
    ///   - detourKilometres: 1 to ``Limits/tripDetourKilometres``.
    package init(
        from: String?, to: String?, start: PackageEndInput, end: PackageEndInput, days: [String] = [],
        timeZone: String? = nil, detourKilometres: Int64?, size: PackageSize? = nil
    ) {
        self.from = from
        self.to = to
        self.start = start
        self.end = end
        self.days = days
        self.timeZone = timeZone
        self.detourKilometres = detourKilometres
        self.size = size
    }

    /// - Throws: `AppError.invalid` at `from`, `to`, `fromLatitude`, `toLatitude`, `days`, `timeZone` and `detour`.
    ///   A long trip with a large detour is refused at `detour`, because its search would read too much.
    package func check() throws { _ = try validated() }

    func validated() throws -> TripTerms {
        var problems = FieldErrors<CarrepsaMessage>()
        let from = PackageDraft.place(from, "from", &problems)
        let to = PackageDraft.place(to, "to", &problems)
        let start = start.validated("from", &problems).point
        let end = end.validated("to", &problems).point
        if start == nil { problems.refuse("fromLatitude", .pointMissing) }
        if end == nil { problems.refuse("toLatitude", .pointMissing) }
        let days = TripDays(codes: days)
        if days == nil { problems.refuse("days", .daysInvalid) }
        let zone = timeZone.flatMap { try? LocalTimeZone($0) }
        if timeZone != nil, zone == nil { problems.refuse("timeZone", .timeZoneUnknown) }
        let detour = detourKilometres ?? 0
        if !(1...Limits.tripDetourKilometres ~= detour) { problems.refuse("detour", .detourOutOfRange) }
        try problems.finish()
        guard let from, let to, let start, let end, let days else {
            throw AppError(.invalid, .pointMissing, field: "fromLatitude")
        }
        let terms = TripTerms(
            from: from.text, to: to.text, start: start, end: end, days: days, timeZone: zone,
            detourMetres: detour * Trip.metresPerKilometre, size: size)
        _ = try DetourPairs(DetourArea(from: start, to: end, detourMetres: terms.detourMetres))
        return terms
    }
}

/// The validated details of a trip.
struct TripTerms: Sendable {
    let from: String
    let to: String
    let start: Coordinate
    let end: Coordinate
    let days: TripDays
    var timeZone: LocalTimeZone?
    let detourMetres: Int64
    let size: PackageSize?
}

extension LocalTimeZone {
    private static let degreesPerHour = 15.0

    /// The time zone of solar time at a point, in whole hours from UTC: at most three hours from the clocks there.
    init(at point: Coordinate) {
        let hours = Int((point.longitude / Self.degreesPerHour).rounded())
        // In the names of the IANA database, places east of Greenwich have a minus sign.
        self = (try? LocalTimeZone("Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))")) ?? .utc
    }
}

extension Trip {
    package static let metresPerKilometre: Int64 = 1_000

    init(_ terms: TripTerms, id: ID<Trip>, person: PersonID, now: Instant, version: Int64 = 1) {
        self.init(
            id: id, person: person, from: terms.from, to: terms.to, start: terms.start, end: terms.end,
            days: terms.days, timeZone: terms.timeZone, detourMetres: terms.detourMetres, size: terms.size,
            createdAt: now, version: version)
    }

    /// Returns the trip with other details, in its next version. It keeps its time zone if they name none.
    func with(_ terms: TripTerms) -> Trip {
        var terms = terms
        terms.timeZone = terms.timeZone ?? timeZone
        return Trip(terms, id: id, person: person, now: createdAt, version: version + 1)
    }
}

/// An offer on the way of a trip.
package struct TripMatch: Sendable, Hashable {
    package let package: Package
    private let candidate: DetourSearch.Candidate
    /// Whether the extra metres are those on roads. Otherwise they are great circles.
    package let isByRoad: Bool

    /// The extra metres between the public areas, in steps of 100; at least 0.
    package var extraMetres: Double { candidate.extraMetres }

    /// The reward in minor units for each extra kilometre, of which at least one counts.
    package var rewardPerKilometre: Double { candidate.rewardPerKilometre }

    init(_ candidate: DetourSearch.Candidate, _ package: Package, isByRoad: Bool = false) {
        self.candidate = candidate
        self.package = package
        self.isByRoad = isByRoad
    }

    /// Returns the match with a detour on roads.
    func byRoad(_ extraMetres: Double) -> TripMatch {
        TripMatch(
            DetourSearch.Candidate(id: package.id, extraMetres: extraMetres, reward: package.reward), package,
            isByRoad: true)
    }

    /// Whether it is listed before another one, as in ``DetourSearch/Candidate/isBetter(than:)``.
    func isBetter(than other: TripMatch) -> Bool { candidate.isBetter(than: other.candidate) }
}
