package import Kernel

/// One day of an item, as its calendar shows it.
package struct ItemDay: Sendable {
    /// A part of the day.
    package enum Part: Sendable, Equatable {
        case episode(Episode, PlaceDescription)
        /// No position shows where the item was.
        case gap(from: Instant, to: Instant)
    }

    package let item: Item
    package let date: LocalDate
    /// The first instant of the day, and of the next day.
    package let span: Range<Instant>
    /// In order. An episode can begin before the day or end after it.
    package private(set) var parts: [Part]
    /// The next earlier day with positions; `nil` for none.
    package let previous: LocalDate?
    /// The next later day with positions; `nil` for none.
    package let next: LocalDate?

    /// The length of all trips that began on this day, in metres.
    package var distanceMetres: Double {
        episodes.filter { $0.startedAt >= span.lowerBound }.reduce(0) { $0 + $1.distanceMetres }
    }

    package var episodes: [Episode] {
        parts.compactMap { part in
            guard case .episode(let episode, _) = part else { return nil }
            return episode
        }
    }
}

extension ItemDay {
    /// The places of stays and sightings that no safe place names.
    var unnamedPlaces: [Coordinate] {
        parts.compactMap { part in
            guard case .episode(let episode, let place) = part, episode.kind != .trip else { return nil }
            return place.unnamed
        }
    }

    /// Returns the same day with known addresses.
    func with(_ addresses: KnownAddresses) -> ItemDay {
        var day = self
        day.parts = parts.map { part in
            guard case .episode(let episode, let place) = part else { return part }
            return .episode(episode, addresses.resolve(place))
        }
        return day
    }
}

/// A month or a year of an item: its days with positions.
package struct ItemPeriod: Sendable {
    /// The length of the listed time.
    package enum Unit: Sendable {
        case month
        case year
    }

    /// A summary of a day.
    package struct Day: Sendable, Equatable {
        package let date: LocalDate
        /// The length of the trips that began on the day, in metres.
        package fileprivate(set) var distanceMetres = 0.0
        /// The number of trips that began on the day.
        package fileprivate(set) var trips = 0
        /// The number of stays that overlap the day.
        package fileprivate(set) var stays = 0
        /// Seconds in motion.
        package fileprivate(set) var movingSeconds = 0.0
    }

    package let item: Item
    package let unit: Unit
    /// The first day of the month or year.
    package let firstDay: LocalDate
    /// The newest first.
    package let days: [Day]
    /// The first days of the nearest earlier and later months or years with positions; `nil` for none.
    package let earlier: LocalDate?
    package let later: LocalDate?
}

extension ItemPeriod.Day {
    /// Returns the days of some episodes, the newest first.
    static func all(
        _ episodes: [EpisodeSummary], in span: Range<Instant>, calendar: DayCalendar
    ) -> [ItemPeriod.Day] {
        var days: [LocalDate: ItemPeriod.Day] = [:]
        for episode in episodes {
            let shown = episode.span.clamped(to: span)
            guard !shown.isEmpty else { continue }
            let first = calendar.date(at: shown.lowerBound)
            let last = calendar.date(at: shown.upperBound.previous)
            for offset in 0...max(0, last.days(since: first)) {
                let date = first.adding(days: offset)
                let part = calendar.span(of: date).clamped(to: episode.span)
                // A date that a zone left out, as Samoa did in 2011, has no instant.
                guard !part.isEmpty else { continue }
                var day = days[date] ?? ItemPeriod.Day(date: date)
                let isStart = part.lowerBound == episode.startedAt
                switch episode.kind {
                case .stay: day.stays += 1
                case .trip:
                    if isStart {
                        day.trips += 1
                        day.distanceMetres += episode.distanceMetres
                    }
                    day.movingSeconds += part.upperBound.seconds(since: part.lowerBound)
                case .sighting: break
                }
                days[date] = day
            }
        }
        return days.values.sorted { $0.date > $1.date }
    }
}
