import CHEIF

/// Reads the properties of a HEIC file's primary picture without decoding pixels. The size is the one after rotation
/// and mirroring, which libheif applies when it decodes.
enum HEICHeader {
    private static let profileBytes = 4 * 1024 * 1024

    static func read(_ bytes: [UInt8]) -> PictureHeader? {
        HEICFile.withPrimaryPicture(of: bytes) { handle in
            var header = PictureHeader(
                width: Int(heif_image_handle_get_width(handle)),
                height: Int(heif_image_handle_get_height(handle)),
                hasAlpha: heif_image_handle_has_alpha_channel(handle) != 0
            )
            header.colourProfile = profile(handle)
            header.colourSpace = space(handle)
            return header
        }
    }

    /// Returns the colours of a file that names them by code points; `nil` for sRGB.
    private static func space(_ handle: OpaquePointer) -> ColourSpace? {
        var found: UnsafeMutablePointer<heif_color_profile_nclx>?
        guard heif_image_handle_get_nclx_color_profile(handle, &found).code == heif_error_Ok, let found else {
            return nil
        }
        defer { heif_nclx_color_profile_free(found) }
        return .coded(
            primaries: Int(found.pointee.color_primaries.rawValue),
            transfer: Int(found.pointee.transfer_characteristics.rawValue))
    }

    private static func profile(_ handle: OpaquePointer) -> [UInt8]? {
        let count = heif_image_handle_get_raw_color_profile_size(handle)
        guard count > 0, count <= profileBytes else { return nil }
        var profile = [UInt8](repeating: 0, count: count)
        guard heif_image_handle_get_raw_color_profile(handle, &profile).code == heif_error_Ok else { return nil }
        return profile
    }
}
