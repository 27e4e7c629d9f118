/// The reason that a map file can't be used.
package struct MapFileError: Error, Equatable, CustomStringConvertible {
    /// A sentence part for the server's administrator: `is damaged`.
    package let description: String

    init(_ description: String) { self.description = description }

    static func damaged(_ part: String) -> MapFileError { MapFileError("is damaged: \(part)") }

    /// The refusal of tiles that browsers can't show as pictures.
    static func unsupported(_ kind: String) -> MapFileError {
        MapFileError("contains \(kind). Only pictures are supported: PNG, JPEG or WebP (raster tiles)")
    }
}
