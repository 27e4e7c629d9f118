import Foundation

/// The names on the map of one zoom level, drawn once and copied onto the tiles that they touch.
struct TownLabels {
    private struct Label {
        let picture: Canvas
        /// The left upper corner in pixels of the zoom level.
        let left: Int
        let top: Int
    }

    private struct Style {
        let height: Double
        let ink: Int32
        let weight: Double
    }

    private static let halo: Int32 = 0xfffdf8
    private static let supersampling = 4
    private static let repeatPixels = 1_250.0

    private var labels: [Label] = []
    private var taken: [(left: Double, top: Double, right: Double, bottom: Double)] = []
    private let font: StrokeFont

    init(_ town: DemoTown, _ view: TownView, font: StrokeFont) {
        self.font = font
        for place in town.places {
            guard let style = Self.style(place.kind, zoom: view.zoom) else { continue }
            add(place.name, at: view.pixel(place.at), angle: 0, style)
        }
        for street in town.streets { name(street, in: view, park: town.park) }
    }

    /// Copies the names that touch a tile.
    func draw(on tile: Canvas, left: Int, top: Int) {
        for label in labels {
            let (x, y) = (label.left - left, label.top - top)
            guard x < tile.width, y < tile.height, x + label.picture.width > 0, y + label.picture.height > 0 else {
                continue
            }
            tile.draw(label.picture, left: x, top: y)
        }
    }

    private static func style(_ kind: DemoTown.Place.Kind, zoom: Int) -> Style? {
        switch kind {
        case .town: 12...14 ~= zoom ? Style(height: 28, ink: 0x3d3a35, weight: 1.5) : nil
        case .district: 14...16 ~= zoom ? Style(height: 21, ink: 0x6b655c, weight: 1.35) : nil
        case .green: zoom >= 14 ? Style(height: 18, ink: 0x3c7340, weight: 1.25) : nil
        case .water: zoom >= 16 ? Style(height: 17, ink: 0x2f6d94, weight: 1.25) : nil
        case .sight: zoom >= 15 ? Style(height: 17, ink: 0x6d4c35, weight: 1.25) : nil
        }
    }

    /// Names a street again and again along its line.
    private mutating func name(_ street: DemoTown.Street, in view: TownView, park: [DemoTown.Point]) {
        guard view.zoom >= (street.isAvenue ? 15 : 16) else { return }
        let style = Style(height: street.isAvenue ? 17 : 15, ink: 0x57524a, weight: 1.25)
        var walked = 0.0
        var next = Self.repeatPixels * 0.3
        for (start, end) in zip(street.line, street.line.dropFirst()) {
            let (from, to) = (view.pixel(start), view.pixel(end))
            walked += hypot(to.x - from.x, to.y - from.y)
            guard walked >= next, !DemoTown.isInside(start, park) else { continue }
            var angle = atan2(to.y - from.y, to.x - from.x)
            if angle > .pi / 2 { angle -= .pi }
            if angle < -.pi / 2 { angle += .pi }
            let isPlaced = add(
                street.name, at: Canvas.Point(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2), angle: angle, style)
            next = walked + (isPlaced ? Self.repeatPixels : Self.repeatPixels / 8)
        }
    }

    /// Draws a name, unless another one is there.
    @discardableResult
    private mutating func add(_ text: String, at middle: Canvas.Point, angle: Double, _ style: Style) -> Bool {
        let (strokes, units) = font.lines(of: text)
        let unit = style.height / 10
        let (width, height) = (units * unit, style.height)
        let wide = abs(width * cos(angle)) + abs(height * sin(angle)) + style.height
        let high = abs(width * sin(angle)) + abs(height * cos(angle)) + style.height
        let box = (
            left: middle.x - wide / 2, top: middle.y - high / 2, right: middle.x + wide / 2, bottom: middle.y + high / 2
        )
        let isFree = taken.allSatisfy {
            $0.right < box.left || $0.left > box.right || $0.bottom < box.top || $0.top > box.bottom
        }
        guard isFree else { return false }
        let scale = Double(Self.supersampling)
        let size = (Int(wide.rounded(.up)) + 8, Int(high.rounded(.up)) + 8)
        guard
            let large = Canvas(
                width: size.0 * Self.supersampling, height: size.1 * Self.supersampling,
                colour: Self.halo | 0x7f00_0000, isTransparent: true)
        else { return false }
        let lines = strokes.map { stroke in
            stroke.map { point in
                let (x, y) = ((point.x - units / 2) * unit, (5 - point.y) * unit)
                return Canvas.Point(
                    x: (x * cos(angle) - y * sin(angle) + Double(size.0) / 2) * scale,
                    y: (x * sin(angle) + y * cos(angle) + Double(size.1) / 2) * scale)
            }
        }
        for line in lines {
            large.line(line, width: (style.weight * unit + 6) * scale, Self.halo, isSmooth: false)
        }
        for line in lines { large.line(line, width: style.weight * unit * scale, style.ink, isSmooth: false) }
        guard let picture = large.reduced(by: Self.supersampling) else { return false }
        taken.append(box)
        labels.append(
            Label(picture: picture, left: Int(middle.x) - size.0 / 2, top: Int(middle.y) - size.1 / 2))
        return true
    }
}
