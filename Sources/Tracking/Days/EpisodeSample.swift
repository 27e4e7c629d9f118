import Foundation
import Kernel

/// A position as the episode rule uses it.
struct EpisodeSample: Sendable, Equatable {
    /// Milliseconds since 1970.
    let at: Int64
    let coordinate: Coordinate
    /// The accuracy, or the assumed one.
    let metres: Double

    init(at: Int64, coordinate: Coordinate, metres: Double) {
        self.at = at
        self.coordinate = coordinate
        self.metres = metres
    }

    /// Returns `nil` for a position that is too inaccurate to tell a stay from a trip.
    init?(at: Instant, coordinate: Coordinate, accuracyMetres: Double?) {
        let metres = accuracyMetres ?? SeparationAlertRule.unknownAccuracyMetres
        guard metres <= Limits.episodeAccuracyMetres else { return nil }
        self.init(at: at.millisecondsSince1970, coordinate: coordinate, metres: metres)
    }

    var instant: Instant { Instant(millisecondsSince1970: at) }
    var latitude: Double { coordinate.latitude }
    var longitude: Double { coordinate.longitude }

    func seconds(since earlier: EpisodeSample) -> Double { Double(at - earlier.at) / 1_000 }

    func metres(to other: EpisodeSample) -> Double { coordinate.distanceMetres(to: other.coordinate) }
}

extension EpisodeSample: Codable {
    private enum CodingKeys: String, CodingKey {
        case at
        case latitude
        case longitude
        case metres
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let coordinate = Coordinate(
            latitude: try values.decode(Double.self, forKey: .latitude),
            longitude: try values.decode(Double.self, forKey: .longitude))
        guard let coordinate else {
            throw DecodingError.dataCorruptedError(forKey: .latitude, in: values, debugDescription: "out of range")
        }
        self.init(
            at: try values.decode(Int64.self, forKey: .at), coordinate: coordinate,
            metres: try values.decode(Double.self, forKey: .metres))
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(at, forKey: .at)
        try values.encode(latitude, forKey: .latitude)
        try values.encode(longitude, forKey: .longitude)
        try values.encode(metres, forKey: .metres)
    }
}

/// The place of several positions: their mean, weighted by accuracy. It needs constant memory.
struct PlaceEstimate: Sendable, Equatable, Codable {
    // A position can't be more accurate than this, whatever the receiver says.
    private static let bestAccuracyMetres = 5.0
    private static let metresPerDegree = Coordinate.earthRadiusMetres * Double.pi / 180

    private let latitude: Double
    private let longitude: Double
    private var weight = 0.0
    private var east = 0.0
    private var north = 0.0

    private(set) var first: EpisodeSample
    private(set) var last: EpisodeSample
    private(set) var count = 0

    init(_ first: EpisodeSample) {
        latitude = first.latitude
        longitude = first.longitude
        self.first = first
        last = first
        add(first)
    }

    init?(_ samples: [EpisodeSample]) {
        guard let first = samples.first else { return nil }
        self.init(first)
        for sample in samples.dropFirst() { add(sample) }
    }

    mutating func add(_ sample: EpisodeSample) {
        let accuracy = max(sample.metres, Self.bestAccuracyMetres)
        let share = 1 / (accuracy * accuracy)
        weight += share
        north += share * (sample.latitude - latitude) * Self.metresPerDegree
        east += share * Self.turn(sample.longitude - longitude) * Self.metresPerDegree * cosine
        last = sample
        count += 1
    }

    /// The mean position.
    var centre: Coordinate {
        let latitude = latitude + north / weight / Self.metresPerDegree
        let longitude = Self.turn(longitude + east / weight / Self.metresPerDegree / cosine)
        return Coordinate(latitude: min(90, max(-90, latitude)), longitude: longitude) ?? first.coordinate
    }

    var seconds: Double { last.seconds(since: first) }

    /// Whether a position may be at this place, as far as its accuracy tells.
    func contains(_ sample: EpisodeSample) -> Bool {
        centre.distanceMetres(to: sample.coordinate) <= Limits.stayRadiusMetres + sample.metres
    }

    /// Returns the episode of these positions.
    func episode(_ kind: Episode.Kind) -> Episode {
        Episode(kind: kind, startedAt: first.instant, endedAt: last.instant, place: centre, fixCount: count)
    }

    // At the poles all longitudes are the same place.
    private var cosine: Double { max(1e-6, cos(latitude * Double.pi / 180)) }

    /// Returns the same angle from -180 to 180 degrees.
    private static func turn(_ degrees: Double) -> Double {
        let turned = degrees.truncatingRemainder(dividingBy: 360)
        return turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned
    }
}

/// The path of a trip. It needs limited memory: a long path keeps only every second point, as often as necessary.
struct TripPath: Sendable, Equatable, Codable {
    private(set) var first: EpisodeSample
    private(set) var last: EpisodeSample
    private(set) var count = 0
    private var metres = 0.0
    /// The last position that the length includes. Positions nearer than their accuracy aren't movement.
    private var measured: EpisodeSample
    private var points: [EpisodeSample]
    private var stride = 1
    private var skipped = 0

    init(_ first: EpisodeSample) {
        self.first = first
        last = first
        measured = first
        points = [first]
        count = 1
    }

    mutating func add(_ sample: EpisodeSample) {
        count += 1
        last = sample
        let step = measured.metres(to: sample)
        guard step > max(Limits.tripStepMetres, max(measured.metres, sample.metres)) else { return }
        metres += step
        measured = sample
        skipped += 1
        guard skipped >= stride else { return }
        skipped = 0
        points.append(sample)
        guard points.count > Limits.tripPoints else { return }
        points = points.indices.filter { $0.isMultiple(of: 2) }.map { points[$0] }
        stride *= 2
    }

    /// The largest distance of the path's points from a place.
    func farthestMetres(from place: Coordinate) -> Double {
        (points + [last]).map { $0.coordinate.distanceMetres(to: place) }.max() ?? 0
    }

    /// Returns the episode of the trip.
    func episode() -> Episode {
        let path = (points.last == last ? points : points + [last]).map(\.coordinate)
        return Episode(
            kind: .trip, startedAt: first.instant, endedAt: last.instant, place: first.coordinate,
            destination: last.coordinate, distanceMetres: metres + (measured == last ? 0 : measured.metres(to: last)),
            path: path, fixCount: count)
    }
}
