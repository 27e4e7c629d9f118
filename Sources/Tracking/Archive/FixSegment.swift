import Kernel

/// A part of an item's history in the object store: the fixes of one device on one day (UTC), or some of them. It is
/// written once and never changed.
struct FixSegment: Equatable {
    let id: ID<FixSegment>
    let item: ID<Item>
    /// Days since 1970-01-01.
    let day: Int64
    /// The id of the device among the devices of one item.
    let device: String
    let source: FixSource
    /// Sorted by time; times are unique.
    let fixes: [ArchivedFix]
}

/// One fix of a segment.
struct ArchivedFix: Equatable {
    let at: Instant
    let coordinate: Coordinate
    let accuracyMetres: Double?
    let altitudeMetres: Double?
    let speedMetresPerSecond: Double?
    let headingDegrees: Double?
    let batteryPercent: Int?

    var report: Report {
        Report(
            at: at, coordinate: coordinate, accuracyMetres: accuracyMetres, altitudeMetres: altitudeMetres,
            speedMetresPerSecond: speedMetresPerSecond, headingDegrees: headingDegrees, batteryPercent: batteryPercent
        )
    }
}

/// Days since 1970-01-01, in UTC.
enum ArchiveDay {
    private static let milliseconds: Int64 = 24 * 60 * 60 * 1_000

    static func day(of instant: Instant) -> Int64 {
        let (days, rest) = instant.millisecondsSince1970.quotientAndRemainder(dividingBy: milliseconds)
        return rest < 0 ? days - 1 : days
    }

    static func start(of day: Int64) -> Instant { Instant(millisecondsSince1970: day * milliseconds) }

    /// The date as `2026-03-01`.
    static func text(_ day: Int64) -> String { String(start(of: day).rfc3339.prefix(10)) }

    /// The first day whose fixes are kept: `days` full days and today.
    static func firstKept(days: Int, now: Instant) -> Int64 { day(of: now) - Int64(days) }
}

/// The key of a segment's object: `fixes/ITEM/2026-03-01/SEGMENT.fixes`.
struct SegmentKey: Equatable {
    static let root = "fixes/"
    private static let ending = ".fixes"

    let item: ID<Item>
    let day: String
    let segment: ID<FixSegment>

    init(item: ID<Item>, day: Int64, segment: ID<FixSegment>) {
        self.item = item
        self.day = ArchiveDay.text(day)
        self.segment = segment
    }

    init?(_ key: String) {
        let parts = key.split(separator: "/", omittingEmptySubsequences: false)
        guard key.hasPrefix(Self.root), parts.count == 4, key.hasSuffix(Self.ending), let item = ID<Item>(parts[1]),
            let segment = ID<FixSegment>(parts[3].dropLast(Self.ending.count)),
            Instant(rfc3339: "\(parts[2])T00:00:00Z") != nil
        else { return nil }
        self.item = item
        day = String(parts[2])
        self.segment = segment
    }

    var text: String { "\(Self.folder(of: item))\(day)/\(segment)\(Self.ending)" }

    /// The key prefix of all objects of an item.
    static func folder(of item: ID<Item>) -> String { "\(root)\(item)/" }
}
