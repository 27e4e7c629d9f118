import CHEIF
import Testing

/// Creates HEIC files whose rotation boxes and EXIF data both contain the orientation, as phones write them.
enum PhoneHEIC {
    private struct Failure: Error {
        let step: String
    }

    /// Returns the quarters of ``TestPictures`` with `orientation`.
    /// - Parameter primaries: The code point of the colours (ITU-T H.273); `nil` for none.
    static func quarters(
        orientation: Int = 1, width: Int = 60, height: Int = 40, primaries: UInt32? = nil
    ) throws -> [UInt8] {
        let context = try #require(heif_context_alloc())
        defer { heif_context_free(context) }
        var encoder: OpaquePointer?
        try check(heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder), "encoder")
        defer { heif_encoder_release(encoder) }
        try check(heif_encoder_set_lossy_quality(encoder, 95), "quality")
        let image = try makeImage(Int32(width), Int32(height))
        defer { heif_image_release(image) }
        if let primaries {
            let colours = try #require(heif_nclx_color_profile_alloc())
            defer { heif_nclx_color_profile_free(colours) }
            colours.pointee.color_primaries = heif_color_primaries(rawValue: primaries)
            colours.pointee.transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1
            colours.pointee.matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_601_6
            colours.pointee.full_range_flag = 1
            try check(heif_image_set_nclx_color_profile(image, colours), "colours")
        }
        let options = try #require(heif_encoding_options_alloc())
        defer { heif_encoding_options_free(options) }
        if primaries != nil { options.pointee.macOS_compatibility_workaround_no_nclx_profile = 0 }
        options.pointee.image_orientation = heif_orientation(UInt32(orientation))
        var handle: OpaquePointer?
        try check(heif_context_encode_image(context, image, encoder, options, &handle), "encode")
        defer { heif_image_handle_release(handle) }
        let exif = TestPictures.exif(orientation: orientation)
        try check(heif_context_add_exif_metadata(context, handle, exif, Int32(exif.count)), "exif")
        return try written(context)
    }

    private static func makeImage(_ width: Int32, _ height: Int32) throws -> OpaquePointer {
        var made: OpaquePointer?
        try check(heif_image_create(width, height, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &made), "image")
        let image = try #require(made)
        try check(heif_image_add_plane(image, heif_channel_interleaved, width, height, 8), "plane")
        var stride: Int32 = 0
        let plane = try #require(heif_image_get_plane(image, heif_channel_interleaved, &stride))
        for y in 0..<Int(height) {
            for x in 0..<Int(width) {
                let isRight = x >= Int(width) / 2
                let isLower = y >= Int(height) / 2
                let colour =
                    isLower
                    ? (isRight ? TestPictures.white : TestPictures.blue)
                    : (isRight ? TestPictures.green : TestPictures.red)
                for channel in 0..<3 {
                    plane[y * Int(stride) + x * 3 + channel] = UInt8(
                        truncatingIfNeeded: colour >> (16 - 8 * Int32(channel)))
                }
            }
        }
        return image
    }

    private final class Output {
        var bytes: [UInt8] = []
    }

    private static func written(_ context: OpaquePointer) throws -> [UInt8] {
        let output = Output()
        var writer = heif_writer()
        writer.writer_api_version = 1
        writer.write = { _, data, count, user in
            guard let user else {
                return heif_error(code: heif_error_Usage_error, subcode: heif_suberror_Unspecified, message: nil)
            }
            let output = Unmanaged<Output>.fromOpaque(user).takeUnretainedValue()
            output.bytes += UnsafeRawBufferPointer(start: data, count: count)
            return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
        }
        try check(heif_context_write(context, &writer, Unmanaged.passUnretained(output).toOpaque()), "write")
        return output.bytes
    }

    private static func check(_ status: heif_error, _ step: String) throws {
        guard status.code == heif_error_Ok else { throw Failure(step: step) }
    }
}
