import CLCMS2
import Foundation

/// Primaries, a white point and a transfer function, by which files name colours without a profile (ITU-T H.273).
struct ColourSpace: Equatable {
    /// Coordinates in CIE 1931.
    struct Chromaticity: Equatable {
        let x: Double
        let y: Double
    }

    enum Transfer: Equatable {
        case sRGB
        case gamma(Double)
        /// SMPTE ST 2084, for high dynamic range.
        case perceptualQuantizer
        /// ARIB STD-B67, for high dynamic range.
        case hybridLogGamma
    }

    var red: Chromaticity
    var green: Chromaticity
    var blue: Chromaticity
    var white = Chromaticity(x: 0.3127, y: 0.3290)
    var transfer = Transfer.sRGB

    static let sRGB = ColourSpace(
        red: Chromaticity(x: 0.640, y: 0.330), green: Chromaticity(x: 0.300, y: 0.600),
        blue: Chromaticity(x: 0.150, y: 0.060))
    static let displayP3 = ColourSpace(
        red: Chromaticity(x: 0.680, y: 0.320), green: Chromaticity(x: 0.265, y: 0.690),
        blue: Chromaticity(x: 0.150, y: 0.060))
    static let rec2020 = ColourSpace(
        red: Chromaticity(x: 0.708, y: 0.292), green: Chromaticity(x: 0.170, y: 0.797),
        blue: Chromaticity(x: 0.131, y: 0.046))
    /// Adobe RGB (1998), 4.3.4.
    static let adobeRGB = ColourSpace(
        red: Chromaticity(x: 0.640, y: 0.330), green: Chromaticity(x: 0.210, y: 0.710),
        blue: Chromaticity(x: 0.150, y: 0.060), transfer: .gamma(563.0 / 256))

    /// Returns the space of code points (ITU-T H.273, 8.1 and 8.2); `nil` for sRGB, and for what no picture uses.
    static func coded(primaries: Int, transfer: Int) -> ColourSpace? {
        var space: ColourSpace
        switch primaries {
        // BT.709, and unspecified ones.
        case 1, 2: space = .sRGB
        case 9: space = .rec2020
        // P3 with the white of daylight, which phones use.
        case 12: space = .displayP3
        default: return nil
        }
        switch transfer {
        // The functions of video are shown like that of sRGB.
        case 1, 2, 6, 13, 14, 15: break
        case 4: space.transfer = .gamma(2.2)
        case 5: space.transfer = .gamma(2.8)
        case 8: space.transfer = .gamma(1)
        case 16: space.transfer = .perceptualQuantizer
        case 18: space.transfer = .hybridLogGamma
        default: return nil
        }
        return space == .sRGB ? nil : space
    }

    /// Returns a profile, which the caller closes; `nil` for impossible coordinates.
    func profile() -> cmsHPROFILE? {
        var white = Self.point(white)
        var primaries = cmsCIExyYTRIPLE(Red: Self.point(red), Green: Self.point(green), Blue: Self.point(blue))
        guard let curve = transfer.curve() else { return nil }
        defer { cmsFreeToneCurve(curve) }
        var curves: [OpaquePointer?] = [curve, curve, curve]
        return cmsCreateRGBProfile(&white, &primaries, &curves)
    }

    private static func point(_ chromaticity: Chromaticity) -> cmsCIExyY {
        cmsCIExyY(x: chromaticity.x, y: chromaticity.y, Y: 1)
    }
}

extension ColourSpace.Transfer {
    private static let entries = 1_024
    /// The brightness of white paper in a picture of high dynamic range (ITU-R BT.2408): 203 of the 10,000 cd/m² that
    /// the function reaches, and the signal in hybrid log-gamma.
    private static let whiteOfQuantizer = 203.0 / 10_000
    private static let whiteOfLogGamma = 0.75

    fileprivate func curve() -> OpaquePointer? {
        switch self {
        case .sRGB: cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .gamma(let gamma): cmsBuildGamma(nil, gamma)
        case .perceptualQuantizer: Self.table { Self.quantized($0) / Self.whiteOfQuantizer }
        case .hybridLogGamma: Self.table { Self.logGamma($0) / Self.logGamma(Self.whiteOfLogGamma) }
        }
    }

    /// Returns the curve of a function. What is brighter than white paper becomes white.
    private static func table(_ light: (Double) -> Double) -> OpaquePointer? {
        let values = (0..<entries).map { Float(min(light(Double($0) / Double(entries - 1)), 1)) }
        return cmsBuildTabulatedToneCurveFloat(nil, cmsUInt32Number(entries), values)
    }

    private static func quantized(_ signal: Double) -> Double {
        let root = pow(signal, 1 / 78.84375)
        return pow(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125)
    }

    private static func logGamma(_ signal: Double) -> Double {
        signal <= 0.5 ? signal * signal / 3 : (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
}
