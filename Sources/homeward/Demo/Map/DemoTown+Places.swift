import Foundation

extension DemoTown {
    /// The park with its pond, the wood and the fields around the town.
    mutating func addParks() {
        park = Self.area(columns: -5 ... -1, rows: 1...5)
        let middle = Self.corner(-3, 3)
        ponds.append(Self.blob(Point(x: middle.x + 40, y: middle.y - 30), radius: 74, seed: 1))
        ponds.append(Self.blob(Point(x: middle.x - 120, y: middle.y + 110), radius: 26, seed: 4))
        let corners = [Self.corner(-5, 1), Self.corner(-1, 1), Self.corner(-1, 5), Self.corner(-5, 5)]
        for (index, corner) in corners.enumerated() {
            let opposite = corners[(index + 2) % corners.count]
            paths.append(Self.curve(corner, Point(x: middle.x + 40, y: middle.y - 140), opposite))
        }
        paths.append(Self.ring(Point(x: middle.x + 40, y: middle.y - 30), radius: 100))
        for _ in 0..<130 {
            let spot = Point(x: middle.x + 520 * (random.next() - 0.5), y: middle.y + 480 * (random.next() - 0.5))
            guard Self.isInside(spot, park) else { continue }
            guard !ponds.contains(where: { Self.isInside(spot, $0) }) else { continue }
            trees.append(spot)
        }
        woods.append(Self.blob(Point(x: -1_720, y: -1_180), radius: 520, seed: 2))
        woods.append(Self.blob(Point(x: 1_650, y: 1_420), radius: 430, seed: 3))
        woods.append(Self.blob(Point(x: -1_850, y: 1_350), radius: 300, seed: 5))
        for number in 0..<26 {
            let angle = 2 * .pi * random.next()
            let away = 2_900 + 5_600 * random.next()
            woods.append(
                Self.blob(
                    Point(x: away * cos(angle), y: away * sin(angle)), radius: 180 + 420 * random.next(),
                    seed: Double(number)))
        }
    }

    mutating func addPlaces() {
        func add(_ name: String, _ kind: Place.Kind, _ at: Point) {
            places.append(Place(name: name, kind: kind, at: at))
        }
        add(Self.name, .town, Point(x: 40, y: 120))
        add("Old Town", .district, Point(x: -110, y: -190))
        add("Eastbank", .district, Point(x: 1_120, y: 120))
        add("Northfield", .district, Point(x: -120, y: 1_120))
        add("Station Quarter", .district, Point(x: -160, y: -1_120))
        add("Westmoor", .district, Point(x: -1_150, y: -240))
        let park = Self.corner(-3, 3)
        add("Lime Park", .green, Point(x: park.x - 60, y: park.y + 150))
        add("Lime Pond", .water, Point(x: park.x + 40, y: park.y - 30))
        add("Bramble Wood", .green, Point(x: -1_480, y: -1_080))
        add("Fern Wood", .green, Point(x: 1_480, y: 1_320))
        for (name, column, row) in [
            ("Market Square", 0, 0), ("Elm School", -3, -3), ("Hospital", 3, 6), ("Sports Ground", 9, -4),
            ("Station", 0, -8), ("East School", 8, 4),
        ] {
            let (from, to) = (Self.corner(column, row), Self.corner(column + 1, row + 1))
            add(name, .sight, Point(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2))
        }
    }

    static func isInside(_ point: Point, _ polygon: [Point]) -> Bool {
        var isInside = false
        var last = polygon.count - 1
        for index in polygon.indices {
            let (one, other) = (polygon[index], polygon[last])
            if (one.y > point.y) != (other.y > point.y),
                point.x < (other.x - one.x) * (point.y - one.y) / (other.y - one.y) + one.x
            {
                isInside.toggle()
            }
            last = index
        }
        return isInside
    }

    private static func area(columns: ClosedRange<Int>, rows: ClosedRange<Int>) -> [Point] {
        let loop =
            columns.map { ($0, rows.lowerBound) } + rows.map { (columns.upperBound, $0) }
            + columns.reversed().map { ($0, rows.upperBound) } + rows.reversed().map { (columns.lowerBound, $0) }
        return route(loop.map { (column: $0.0, row: $0.1) }, stepMetres: 30)
    }

    private static func blob(_ centre: Point, radius: Double, seed: Double) -> [Point] {
        stride(from: 0.0, to: 360, by: 6).map { degrees in
            let angle = degrees * .pi / 180
            let bent = radius * (1 + 0.16 * sin(2 * angle + seed) + 0.1 * sin(5 * angle + 2 * seed))
            return Point(x: centre.x + bent * cos(angle), y: centre.y + bent * sin(angle))
        }
    }

    private static func ring(_ centre: Point, radius: Double) -> [Point] {
        let loop = blob(centre, radius: radius, seed: 1)
        return loop + loop.prefix(1)
    }

    private static func curve(_ from: Point, _ over: Point, _ to: Point) -> [Point] {
        stride(from: 0.0, through: 1, by: 0.05).map { part in
            let (one, two, three) = ((1 - part) * (1 - part), 2 * part * (1 - part), part * part)
            return Point(
                x: one * from.x + two * over.x + three * to.x, y: one * from.y + two * over.y + three * to.y)
        }
    }
}

/// A repeatable sequence of numbers, so that the town is the same at each start.
struct TownRandom: Sendable {
    var state: UInt64

    /// Returns a number from 0 up to 1.
    mutating func next() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 40) / Double(1 << 24)
    }
}
