import Foundation

/// Letters made of lines of even width. The demo's map names its streets with them, because no font file is certain to
/// exist on a computer.
struct StrokeFont: Sendable {
    struct Point: Sendable {
        var x: Double
        var y: Double
    }

    /// Ten units are the height of a capital letter; y points up.
    private struct Glyph: Sendable {
        let width: Double
        let strokes: [[Point]]
    }

    private static let space = 3.4
    private static let tracking = 2.1
    private static let degreesPerPiece = 20.0

    private let glyphs: [Character: Glyph]

    init() {
        glyphs = Self.sources.mapValues(Self.glyph)
    }

    /// Returns the lines of a text, and its width.
    func lines(of text: String) -> (strokes: [[Point]], width: Double) {
        var strokes: [[Point]] = []
        var left = 0.0
        for character in text {
            guard let glyph = glyphs[character] else {
                left += Self.space
                continue
            }
            let offset = left
            strokes += glyph.strokes.map { $0.map { Point(x: $0.x + offset, y: $0.y) } }
            left += glyph.width + Self.tracking
        }
        return (strokes, max(0, left - Self.tracking))
    }

    /// Reads `WIDTH;STROKE;STROKE…`. A stroke has points `x,y` and arcs `x,y,radius,radius,from,to` in degrees.
    private static func glyph(_ source: String) -> Glyph {
        let parts = source.split(separator: ";")
        let strokes = parts.dropFirst().map { stroke -> [Point] in
            stroke.split(separator: " ").flatMap { step -> [Point] in
                let numbers = step.split(separator: ",").compactMap { Double($0) }
                guard numbers.count == 6 else { return [Point(x: numbers[0], y: numbers[1])] }
                let turn = numbers[5] - numbers[4]
                let pieces = max(2, Int((abs(turn) / degreesPerPiece).rounded(.up)))
                return (0...pieces).map { piece in
                    let angle = (numbers[4] + turn * Double(piece) / Double(pieces)) * .pi / 180
                    return Point(x: numbers[0] + numbers[2] * cos(angle), y: numbers[1] + numbers[3] * sin(angle))
                }
            }
        }
        return Glyph(width: Double(parts[0]) ?? 0, strokes: Array(strokes))
    }

    private static let bowl = "3,3.5,3,3.5,0,360"
    private static let sources: [Character: String] = [
        "A": "7;0,0 3.5,10 7,0;1.2,3.4 5.8,3.4",
        "B": "6;0,5.3 3.2,5.3 3.2,7.65,2.4,2.35,-90,90 0,10 0,0 3.2,0 3.2,2.65,2.8,2.65,-90,90",
        "C": "7;4,5,4,5,48,312", "D": "6.8;0,0 0,10 2.6,10 2.6,5,4.2,5,90,-90 0,0",
        "E": "5.2;5.2,10 0,10 0,0 5.2,0;0,5.2 4.6,5.2", "F": "5;5,10 0,10 0,0;0,5.2 4.4,5.2",
        "G": "7.6;4,5,4,5,48,330 7.6,4.8 4.6,4.8", "H": "6.8;0,0 0,10;6.8,0 6.8,10;0,5.2 6.8,5.2",
        "I": "0.2;0.1,0 0.1,10",
        "J": "4.4;4.4,10 4.4,2.6 2.2,2.6,2.2,2.6,0,-170", "K": "6.2;0,0 0,10;6,10 0,3.8;2,5.9 6.2,0",
        "L": "4.8;0,10 0,0 4.8,0", "M": "8.4;0,0 0,10 4.2,3 8.4,10 8.4,0", "N": "6.8;0,0 0,10 6.8,0 6.8,10",
        "O": "8;4,5,4,5,0,360", "P": "6;0,0 0,10 3.3,10 3.3,7.3,2.7,2.7,90,-90 0,4.6",
        "Q": "8;4,5,4,5,0,360;5,2.4 7.8,-0.6", "R": "6.2;0,0 0,10 3.3,10 3.3,7.3,2.7,2.7,90,-90 0,4.6;3,4.6 6.2,0",
        "S": "5.8;2.9,7.4,2.6,2.6,35,270 2.9,2.5,2.9,2.4,90,-150", "T": "6.8;0,10 6.8,10;3.4,10 3.4,0",
        "U": "6.6;0,10 0,3.3 3.3,3.3,3.3,3.3,180,360 6.6,10", "V": "7;0,10 3.5,0 7,10",
        "W": "10.4;0,10 2.6,0 5.2,9 7.8,0 10.4,10", "X": "6.6;0,10 6.6,0;0,0 6.6,10",
        "Y": "6.8;0,10 3.4,5 6.8,10;3.4,5 3.4,0",
        "Z": "6.4;0,10 6.4,10 0,0 6.4,0",
        "a": "6;\(bowl);6,7 6,0", "b": "6;\(bowl);0,10 0,0", "c": "5.2;3,3.5,3,3.5,48,312", "d": "6;\(bowl);6,10 6,0",
        "e": "6;0,3.7 6,3.7 3,3.5,3,3.5,5,312", "f": "3.4;1.4,0 1.4,8 3.2,8,1.8,2,180,80;0,6.7 3.2,6.7",
        "g": "6;\(bowl);6,7 6,-0.4 3,-0.4,3,2.7,0,-150", "h": "5.6;0,10 0,0;0,4 2.8,4,2.8,3,180,0 5.6,0",
        "i": "0.2;0.1,0 0.1,7;0.1,9.4 0.1,9.8", "j": "1.8;1.6,7 1.6,-1 0,-1,1.6,2,0,-90;1.6,9.4 1.6,9.8",
        "k": "5.2;0,10 0,0;5,7 0,2.8;1.8,4.3 5.2,0", "l": "0.2;0.1,10 0.1,0",
        "m": "9.4;0,7 0,0;0,4.4 2.35,4.4,2.35,2.6,180,0 4.7,0;4.7,4.4 7.05,4.4,2.35,2.6,180,0 9.4,0",
        "n": "5.6;0,7 0,0;0,4 2.8,4,2.8,3,180,0 5.6,0", "o": "6;\(bowl)", "p": "6;\(bowl);0,7 0,-3",
        "q": "6;\(bowl);6,7 6,-3", "r": "3.4;0,7 0,0;0,4 2.8,4,2.8,3,180,70",
        "s": "4.8;2.4,5.2,2.1,1.8,35,270 2.4,1.7,2.4,1.7,90,-150",
        "t": "3.4;1.4,9 1.4,2 3.2,2,1.8,2,180,285;0,6.8 3.3,6.8",
        "u": "5.6;0,7 0,3 2.8,3,2.8,3,180,360 5.6,7;5.6,3 5.6,0", "v": "5.6;0,7 2.8,0 5.6,7",
        "w": "8.8;0,7 2.2,0 4.4,6.4 6.6,0 8.8,7", "x": "5.2;0,7 5.2,0;0,0 5.2,7", "y": "5.8;0,7 2.9,0.4;5.8,7 2,-3",
        "z": "5;0,7 5,7 0,0 5,0", "’": "0.8;0.7,10 0.2,8",
    ]
}
