import Foundation

/// The plan of an invented town, in metres east and north of the demo's home. Nothing of it exists.
struct DemoTown: Sendable {
    typealias Point = StrokeFont.Point

    struct Street: Sendable {
        let name: String
        let line: [Point]
        /// An avenue crosses the river.
        let isAvenue: Bool
    }

    struct Building: Sendable {
        let corners: [Point]
        let isPublic: Bool
    }

    /// The place of a name.
    struct Place: Sendable {
        enum Kind: Sendable { case town, district, green, water, sight }
        let name: String
        let kind: Kind
        let at: Point
    }

    static let name = "Brambleford"
    /// Half the side of the square that the map shows in full detail.
    static let radiusMetres = 1_400.0

    var streets: [Street] = []
    var greens: [[Point]] = []
    /// The park; no street crosses it.
    var park: [Point] = []
    var woods: [[Point]] = []
    var squares: [[Point]] = []
    var ponds: [[Point]] = []
    var paths: [[Point]] = []
    var trees: [Point] = []
    var blocks: [[Point]] = []
    var buildings: [Building] = []
    var places: [Place] = []
    let river: [Point]
    let banks: [Point]
    let railway: [Point]
    /// The border between the town and the fields.
    let edge: [Point]

    private var isOpen = true
    var random = TownRandom(state: 20_07)

    // The streets follow two families of lines, which `place` bends.
    private static let columns = lines(spacing: [96, 118, 88, 132, 104, 92, 124, 110])
    private static let rows = lines(spacing: [108, 90, 126, 98, 114, 86, 120])
    private static let avenueEvery = 5
    private static let downtownMetres = 620.0
    private static let townMetres = 1_640.0
    static let countryMetres = 9_000.0

    init() {
        river = Self.ribbon(width: 78) { Self.riverColumn($0) }
        banks = Self.ribbon(width: 150) { Self.riverColumn($0) }
        railway = stride(from: -Self.countryMetres, through: Self.countryMetres, by: 40).map {
            Self.place($0, -905 + 70 * sin($0 / 640))
        }
        edge = stride(from: 0.0, to: 360, by: 4).map { degrees in
            let angle = degrees * .pi / 180
            let radius = Self.townRadius(angle) + 60
            return Point(x: radius * cos(angle), y: radius * sin(angle))
        }
        addStreets()
        addBlocks()
        addParks()
        addPlaces()
    }

    /// Returns the place where a column and a row cross, counted from the home.
    static func corner(_ column: Int, _ row: Int) -> Point {
        place(columns[column + columns.count / 2], rows[row + rows.count / 2])
    }

    /// Returns the places along streets from crossing to crossing.
    static func route(_ corners: [(column: Int, row: Int)], stepMetres: Double) -> [Point] {
        zip(corners, corners.dropFirst()).flatMap { from, to -> [Point] in
            let start = (columns[from.column + columns.count / 2], rows[from.row + rows.count / 2])
            let end = (columns[to.column + columns.count / 2], rows[to.row + rows.count / 2])
            let length = hypot(end.0 - start.0, end.1 - start.1)
            let steps = max(1, Int(length / stepMetres))
            return (0..<steps).map { step in
                let part = Double(step) / Double(steps)
                return place(start.0 + (end.0 - start.0) * part, start.1 + (end.1 - start.1) * part)
            }
        }
    }

    private static func lines(spacing: [Double]) -> [Double] {
        var (low, high) = ([0.0], [0.0])
        for index in 0..<19 {
            high.append(high[index] + spacing[index % spacing.count])
            low.append(low[index] - spacing[(index + 3) % spacing.count])
        }
        return low.dropFirst().reversed() + high
    }

    /// Bends the straight lines of the plan.
    private static func place(_ column: Double, _ row: Double) -> Point {
        func bent(_ column: Double, _ row: Double) -> (Double, Double) {
            (
                column + 42 * sin(row / 360 + 0.6) + 16 * sin(column / 240),
                row + 38 * sin(column / 410) + 14 * sin(row / 230 + 1)
            )
        }
        let (x, y) = bent(column, row)
        let (originX, originY) = bent(0, 0)
        let angle = -13.0 * .pi / 180
        let (east, north) = (x - originX, y - originY)
        return Point(x: east * cos(angle) - north * sin(angle), y: east * sin(angle) + north * cos(angle))
    }

    private static func riverColumn(_ row: Double) -> Double { 640 + 150 * sin(row / 560) + 0.06 * row }

    private static func ribbon(width: Double, _ column: (Double) -> Double) -> [Point] {
        let rows = Array(stride(from: -countryMetres, through: countryMetres, by: 40))
        return rows.map { place(column($0) - width / 2, $0) }
            + rows.reversed().map { place(column($0) + width / 2, $0) }
    }

    // MARK: Streets

    private static let columnNames = [
        "Church Street", "Garden Street", "Mill Lane", "Elm Street", "Park Road", "Baker Street", "School Lane",
        "Linden Avenue", "Willow Way", "Rose Street", "Hazel Street", "Orchard Road", "Copper Lane", "Meadow Way",
        "Ferry Road", "Chapel Street", "Juniper Street", "Maple Street", "Weaver Lane",
    ]
    private static let rowNames = [
        "Market Street", "Oak Street", "Station Road", "Bridge Street", "King Street", "North Road", "Quarry Lane",
        "Swan Street", "Birch Street", "Potter Lane", "Hill Road", "Fountain Street", "Cedar Street", "Smith Lane",
        "Barley Road", "Heron Way", "Plum Street", "Saddler Lane", "Tower Street",
    ]

    private mutating func addStreets() {
        for (index, column) in Self.columns.enumerated() {
            let number = index - Self.columns.count / 2
            let isAvenue = number.isMultiple(of: Self.avenueEvery)
            let line = Self.steps(isAvenue, number).map { Self.place(column, $0) }
            let names = Self.columnNames
            add(line, name: names[(number % names.count + names.count) % names.count], isAvenue: isAvenue)
        }
        for (index, row) in Self.rows.enumerated() {
            let number = index - Self.rows.count / 2
            let isAvenue = number.isMultiple(of: Self.avenueEvery)
            let line = Self.steps(isAvenue, number).map { Self.place($0, row) }
            let names = Self.rowNames
            add(line, name: names[(number % names.count + names.count) % names.count], isAvenue: isAvenue)
        }
    }

    /// Every second avenue leaves the town as a country road.
    private static func steps(_ isAvenue: Bool, _ number: Int) -> [Double] {
        let length = isAvenue && number.isMultiple(of: 2 * avenueEvery) ? countryMetres : 2_300
        return Array(stride(from: -length, through: length, by: 30))
    }

    /// Other streets than avenues end at the edge of the town, and are interrupted here and there.
    private mutating func add(_ line: [Point], name: String, isAvenue: Bool) {
        var part: [Point] = []
        for (index, point) in line.enumerated() {
            if index.isMultiple(of: 12) { isOpen = random.next() > 0.07 }
            if isAvenue || (isOpen && Self.isTown(point)) {
                part.append(point)
                continue
            }
            if part.count > 4 { streets.append(Street(name: name, line: part, isAvenue: isAvenue)) }
            part = []
        }
        if part.count > 4 { streets.append(Street(name: name, line: part, isAvenue: isAvenue)) }
    }

    private static func isTown(_ point: Point) -> Bool {
        hypot(point.x, point.y) < townRadius(atan2(point.y, point.x))
    }

    private static func townRadius(_ angle: Double) -> Double {
        townMetres + 150 * sin(3 * angle + 1) + 90 * sin(7 * angle)
    }

    // MARK: Blocks

    private enum Use { case homes, downtown, park, square, school, hospital, sports, station, garden, outside }

    private mutating func addBlocks() {
        for column in 0..<Self.columns.count - 1 {
            for row in 0..<Self.rows.count - 1 {
                let numbers = (column - Self.columns.count / 2, row - Self.rows.count / 2)
                addBlock(column, row, use(numbers.0, numbers.1, middle: at(column, row, 0.5, 0.5)))
            }
        }
    }

    /// Returns a place inside a block; 0 and 1 are the middles of its streets.
    private func at(_ column: Int, _ row: Int, _ across: Double, _ up: Double) -> Point {
        let (west, east) = (Self.columns[column], Self.columns[column + 1])
        let (south, north) = (Self.rows[row], Self.rows[row + 1])
        return Self.place(west + (east - west) * across, south + (north - south) * up)
    }

    private mutating func use(_ column: Int, _ row: Int, middle: Point) -> Use {
        let chance = random.next()
        if -5 ... -2 ~= column, 1...4 ~= row { return .park }
        switch (column, row) {
        case (0, 0): return .square
        case (-3, -3), (8, 4), (-9, -1): return .school
        case (3, 6), (3, 7): return .hospital
        case (9, -4), (9, -5), (10, -4), (10, -5): return .sports
        case (0, -8), (1, -8): return .station
        default: break
        }
        guard Self.isTown(middle) else { return .outside }
        if hypot(middle.x, middle.y) < Self.downtownMetres { return chance < 0.07 ? .garden : .downtown }
        return chance < 0.06 ? .garden : .homes
    }

    private mutating func addBlock(_ column: Int, _ row: Int, _ use: Use) {
        let edge = 0.07
        let corners = [(edge, edge), (1 - edge, edge), (1 - edge, 1 - edge), (edge, 1 - edge)]
            .map { at(column, row, $0.0, $0.1) }
        switch use {
        case .outside, .park: return
        case .square:
            squares.append(corners)
            addBuilding(column, row, 0.16...0.5, 0.62...0.86, isPublic: true)
            addBuilding(column, row, 0.66...0.84, 0.2...0.52, isPublic: true)
            for spot in [(0.2, 0.2), (0.35, 0.2), (0.5, 0.2), (0.2, 0.42), (0.82, 0.8)] {
                trees.append(at(column, row, spot.0, spot.1))
            }
            return
        case .garden:
            greens.append(corners)
            for _ in 0..<9 {
                trees.append(at(column, row, 0.14 + 0.72 * random.next(), 0.14 + 0.72 * random.next()))
            }
            return
        case .sports:
            greens.append(corners)
            return
        case .school, .hospital, .station:
            blocks.append(corners)
            addBuilding(column, row, 0.16...0.84, 0.62...0.84, isPublic: true)
            addBuilding(column, row, 0.16...0.36, 0.2...0.62, isPublic: true)
        case .downtown:
            blocks.append(corners)
            addTerraces(column, row)
        case .homes:
            blocks.append(corners)
            addHouses(column, row)
        }
    }

    private mutating func addBuilding(
        _ column: Int, _ row: Int, _ across: ClosedRange<Double>, _ up: ClosedRange<Double>, isPublic: Bool = false
    ) {
        let corners = [
            (across.lowerBound, up.lowerBound), (across.upperBound, up.lowerBound), (across.upperBound, up.upperBound),
            (across.lowerBound, up.upperBound),
        ].map { at(column, row, $0.0, $0.1) }
        // Nothing stands in the river.
        let middle = at(column, row, (across.lowerBound + across.upperBound) / 2, (up.lowerBound + up.upperBound) / 2)
        guard !Self.isInside(middle, banks) else { return }
        buildings.append(Building(corners: corners, isPublic: isPublic))
    }

    /// Rows of houses along all four sides, with a yard in the middle.
    private mutating func addTerraces(_ column: Int, _ row: Int) {
        let (low, deep) = (0.09, 0.17)
        for side in 0..<4 {
            var start = side < 2 ? low : low + deep
            let end = side < 2 ? 1 - low : 1 - low - deep
            while start < end - 0.06 {
                let next = min(end, start + 0.1 + 0.14 * random.next())
                let depth = deep * (0.75 + 0.5 * random.next())
                if random.next() > 0.05 {
                    switch side {
                    case 0: addBuilding(column, row, start...next, low...low + depth)
                    case 1: addBuilding(column, row, start...next, 1 - low - depth...1 - low)
                    case 2: addBuilding(column, row, low...low + depth, start...next)
                    default: addBuilding(column, row, 1 - low - depth...1 - low, start...next)
                    }
                }
                start = next
            }
        }
        if random.next() < 0.4 { addBuilding(column, row, 0.38...0.62, 0.4...0.58) }
    }

    /// Single houses with gardens along two sides.
    private mutating func addHouses(_ column: Int, _ row: Int) {
        for up in [0.13, 0.7] {
            var across = 0.12
            while across < 0.8 {
                let width = 0.09 + 0.05 * random.next()
                let depth = 0.1 + 0.06 * random.next()
                let bottom = up + 0.04 * random.next()
                if random.next() > 0.1 { addBuilding(column, row, across...across + width, bottom...bottom + depth) }
                across += width + 0.06 + 0.04 * random.next()
            }
        }
        for _ in 0..<3 { trees.append(at(column, row, 0.12 + 0.76 * random.next(), 0.38 + 0.24 * random.next())) }
    }
}
