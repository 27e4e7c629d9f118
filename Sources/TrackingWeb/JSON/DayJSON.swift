import Kernel
import Tracking
import WebCore

/// A month or a year with its days, the newest first.
struct ItemPeriodJSON: Encodable {
    struct Day: Encodable {
        let date: String
        let distance: Double
        let movingSeconds: Double
        let stays: Int
        let trips: Int

        init(_ day: ItemPeriod.Day) {
            date = day.date.text
            distance = day.distanceMetres
            movingSeconds = day.movingSeconds
            stays = day.stays
            trips = day.trips
        }
    }

    /// `2026-03`; `nil` for a year.
    let month: String?
    /// `2026`; `nil` for a month.
    let year: String?
    /// The time zone of the days.
    let zone: String
    let items: [Day]
    @Nullable var earlier: String?
    @Nullable var later: String?

    init(_ period: ItemPeriod, zone: String) {
        let text = { (date: LocalDate) in Self.text(date, period.unit) }
        self.month = period.unit == .month ? text(period.firstDay) : nil
        year = period.unit == .year ? text(period.firstDay) : nil
        self.zone = zone
        items = period.days.map(Day.init)
        _earlier = Nullable(wrappedValue: period.earlier.map(text))
        _later = Nullable(wrappedValue: period.later.map(text))
    }

    private static func text(_ date: LocalDate, _ unit: ItemPeriod.Unit) -> String {
        String(date.text.prefix(unit == .month ? 7 : 4))
    }
}

/// A day with its stays, trips and gaps, in order.
struct ItemDayJSON: Encodable {
    struct Part: Encodable {
        /// `stay`, `trip`, `sighting` or `gap`.
        let kind: String
        let startedAt: Instant
        let endedAt: Instant
        @Nullable var latitude: Double?
        @Nullable var longitude: Double?
        @Nullable var place: String?
        @Nullable var distance: Double?
        /// Pairs of latitude and longitude.
        @Nullable var path: [[Double]]?
        let open: Bool

        init(_ part: ItemDay.Part, formatter: TrackingFormatter) {
            switch part {
            case .gap(let from, let to):
                kind = "gap"
                startedAt = from
                endedAt = to
                open = false
                _latitude = Nullable(wrappedValue: nil)
                _longitude = Nullable(wrappedValue: nil)
                _place = Nullable(wrappedValue: nil)
                _distance = Nullable(wrappedValue: nil)
                _path = Nullable(wrappedValue: nil)
            case .episode(let episode, let description):
                let isTrip = episode.kind == .trip
                kind = episode.kind.rawValue
                startedAt = episode.startedAt
                endedAt = episode.endedAt
                open = episode.isOpen
                _latitude = Nullable(wrappedValue: episode.place.latitude)
                _longitude = Nullable(wrappedValue: episode.place.longitude)
                _place = Nullable(wrappedValue: formatter.place(description))
                _distance = Nullable(wrappedValue: isTrip ? episode.distanceMetres : nil)
                _path = Nullable(
                    wrappedValue: isTrip ? episode.path.map { [$0.latitude, $0.longitude] } : nil)
            }
        }
    }

    let date: String
    /// The time zone of the day.
    let zone: String
    let distance: Double
    let parts: [Part]
    @Nullable var previous: String?
    @Nullable var next: String?

    init(_ day: ItemDay, zone: String, formatter: TrackingFormatter) {
        date = day.date.text
        self.zone = zone
        distance = day.distanceMetres
        parts = day.parts.map { Part($0, formatter: formatter) }
        _previous = Nullable(wrappedValue: day.previous?.text)
        _next = Nullable(wrappedValue: day.next?.text)
    }
}

/// A stay at a safe place.
struct StayJSON: Encodable {
    let startedAt: Instant
    let endedAt: Instant
    let latitude: Double
    let longitude: Double
    let open: Bool

    init(_ stay: Episode) {
        startedAt = stay.startedAt
        endedAt = stay.endedAt
        latitude = stay.place.latitude
        longitude = stay.place.longitude
        open = stay.isOpen
    }
}
