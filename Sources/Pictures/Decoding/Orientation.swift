/// The camera orientation, given by EXIF values 1 to 8 (CIPA DC-008, tag 0x0112).
struct Orientation: Equatable {
    /// Whether the picture must be mirrored horizontally before it is rotated.
    let isMirrored: Bool
    /// The number of clockwise quarter turns that make the picture upright.
    let quarterTurns: Int

    static let upright = Orientation(isMirrored: false, quarterTurns: 0)

    private init(isMirrored: Bool, quarterTurns: Int) {
        self.isMirrored = isMirrored
        self.quarterTurns = quarterTurns
    }

    /// Creates an orientation from the EXIF value; `nil` outside 1 to 8.
    init?(exifValue: Int) {
        switch exifValue {
        case 1: self.init(isMirrored: false, quarterTurns: 0)
        case 2: self.init(isMirrored: true, quarterTurns: 0)
        case 3: self.init(isMirrored: false, quarterTurns: 2)
        case 4: self.init(isMirrored: true, quarterTurns: 2)
        case 5: self.init(isMirrored: true, quarterTurns: 3)
        case 6: self.init(isMirrored: false, quarterTurns: 1)
        case 7: self.init(isMirrored: true, quarterTurns: 1)
        case 8: self.init(isMirrored: false, quarterTurns: 3)
        default: return nil
        }
    }

    /// Creates an orientation from EXIF data; upright if the data has none or is invalid.
    init(exif tiff: [UInt8]?) {
        self = tiff.flatMap(ExifData.init)?.orientation.flatMap(Orientation.init(exifValue:)) ?? .upright
    }
}
