/// The chunks by which a PNG file names its colours without a profile (W3C PNG, third edition, 4.3 and 11.3.2).
struct PNGColours {
    private static let unit = 100_000.0
    /// A difference that can't be seen. Writers round differently.
    private static let tolerance = 0.005
    /// The gamma that writers give for sRGB.
    private static let gammaOfSRGB = 2.2

    /// The code points of ITU-T H.273; `nil` without their chunk.
    private var coded: (primaries: Int, transfer: Int)?
    private var isSRGB = false
    private var gamma: Double?
    private var chromaticities: [ColourSpace.Chromaticity]?

    /// Reads a chunk; ignores chunks about something else, and invalid ones.
    mutating func read(_ name: String, _ content: [UInt8]) {
        switch name {
        case "cICP" where content.count == 4: coded = (Int(content[0]), Int(content[1]))
        case "sRGB": isSRGB = true
        case "gAMA":
            guard let value = Self.numbers(content).first, value > 0 else { return }
            gamma = 1 / value
        case "cHRM":
            let numbers = Self.numbers(content)
            guard numbers.count == 8, numbers.allSatisfy({ (0...1).contains($0) }) else { return }
            chromaticities = (0..<4).map { ColourSpace.Chromaticity(x: numbers[$0 * 2], y: numbers[$0 * 2 + 1]) }
        default: return
        }
    }

    /// Sets the colours by the chunk that has precedence.
    func apply(to header: inout PictureHeader) {
        if let coded {
            header.colourProfile = nil
            header.colourSpace = .coded(primaries: coded.primaries, transfer: coded.transfer)
        } else if header.colourProfile == nil, !isSRGB {
            header.colourSpace = space
        }
    }

    /// `nil` for sRGB.
    private var space: ColourSpace? {
        var space = ColourSpace.sRGB
        if let chromaticities, !Self.areOfSRGB(chromaticities) {
            (space.white, space.red) = (chromaticities[0], chromaticities[1])
            (space.green, space.blue) = (chromaticities[2], chromaticities[3])
        }
        if let gamma, abs(gamma - Self.gammaOfSRGB) > Self.tolerance * 10 { space.transfer = .gamma(gamma) }
        return space == .sRGB ? nil : space
    }

    private static func areOfSRGB(_ chromaticities: [ColourSpace.Chromaticity]) -> Bool {
        let space = ColourSpace.sRGB
        return zip(chromaticities, [space.white, space.red, space.green, space.blue]).allSatisfy { one, other in
            abs(one.x - other.x) < tolerance && abs(one.y - other.y) < tolerance
        }
    }

    private static func numbers(_ content: [UInt8]) -> [Double] {
        let reader = PictureByteReader(bytes: content)
        return stride(from: 0, to: content.count - 3, by: 4).compactMap { offset in
            reader.bigEndian(offset, bytes: 4).map { Double($0) / unit }
        }
    }
}
