package import Kernel

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

    /// Returns the start of the first of these days in UTC, today included. Without days, every day is one.
    func nextStart(_ now: Instant) -> Instant {
        let day = now.millisecondsSince1970 / Self.millisecondsPerDay
        guard rawValue != 0 else { return now }
        for ahead in 0..<Int64(Self.codes.count) where rawValue & (1 << Self.weekday(ofDay: day + ahead)) != 0 {
            let start = Instant(millisecondsSince1970: (day + ahead) * Self.millisecondsPerDay)
            return max(now, start)
        }
        return now
    }

    private static let millisecondsPerDay: Int64 = 86_400_000
    /// 1970-01-01 was a Thursday.
    private static let weekdayOfDayZero: Int64 = 3

    private static func weekday(ofDay day: Int64) -> Int { Int((day + weekdayOfDayZero) % Int64(codes.count)) }
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
    /// Extra metres that the person accepts.
    package let detourMetres: Int64
    /// The largest size that fits; `nil` for any.
    package let size: PackageSize?
    package let createdAt: Instant
    package let version: Int64

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
    let detourKilometres: Int64?
    let size: PackageSize?

    /// - Parameters:
    ///   - days: codes of ``TripDays``; none for every day.
    ///   - detourKilometres: 1 to ``Limits/tripDetourKilometres``.
    package init(
        from: String?, to: String?, start: PackageEndInput, end: PackageEndInput, days: [String] = [],
        detourKilometres: Int64?, size: PackageSize? = nil
    ) {
        self.from = from
        self.to = to
        self.start = start
        self.end = end
        self.days = days
        self.detourKilometres = detourKilometres
        self.size = size
    }

    /// - Throws: `AppError.invalid` at `from`, `to`, `fromLatitude`, `toLatitude`, `days` and `detour`.
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
        let detour = detourKilometres ?? 0
        if !(1...Limits.tripDetourKilometres ~= detour) { problems.refuse("detour", .detourOutOfRange) }
        try problems.finish()
        guard let from, let to, let start, let end, let days else {
            throw AppError(.invalid, .pointMissing, field: "fromLatitude")
        }
        let terms = TripTerms(
            from: from.text, to: to.text, start: start, end: end, days: days,
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
    let detourMetres: Int64
    let size: PackageSize?
}

extension Trip {
    package static let metresPerKilometre: Int64 = 1_000

    init(_ terms: TripTerms, id: ID<Trip>, person: PersonID, now: Instant, version: Int64 = 1) {
        self.init(
            id: id, person: person, from: terms.from, to: terms.to, start: terms.start, end: terms.end,
            days: terms.days, detourMetres: terms.detourMetres, size: terms.size, createdAt: now, version: version)
    }

    /// Returns the trip with other details, in its next version.
    func with(_ terms: TripTerms) -> Trip {
        Trip(terms, id: id, person: person, now: createdAt, version: version + 1)
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
