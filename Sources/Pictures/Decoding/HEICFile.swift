import CHEIF

/// Decodes HEIC with libheif, because libgd's support neither rotates pictures nor converts all colours correctly.
enum HEICFile {
    /// Calls `body` with the primary picture of a file. Doesn't decode pixels.
    static func withPrimaryPicture<Value>(of bytes: [UInt8], _ body: (OpaquePointer) -> Value?) -> Value? {
        guard let context = heif_context_alloc() else { return nil }
        defer { heif_context_free(context) }
        return bytes.withUnsafeBytes { file in
            let status = heif_context_read_from_memory_without_copy(context, file.baseAddress, file.count, nil)
            guard status.code == heif_error_Ok else { return nil }
            var handle: OpaquePointer?
            guard heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok, let handle else {
                return nil
            }
            defer { heif_image_handle_release(handle) }
            return body(handle)
        }
    }

    /// Decodes the primary picture, rotated upright.
    static func decode(_ bytes: [UInt8]) -> GDImage? {
        withPrimaryPicture(of: bytes) { handle in
            guard let options = heif_decoding_options_alloc() else { return nil }
            defer { heif_decoding_options_free(options) }
            options.pointee.convert_hdr_to_8bit = 1
            var decoded: OpaquePointer?
            let status = heif_decode_image(handle, &decoded, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options)
            guard status.code == heif_error_Ok, let decoded else { return nil }
            defer { heif_image_release(decoded) }
            return copy(decoded)
        }
    }

    private static func copy(_ decoded: OpaquePointer) -> GDImage? {
        let width = Int(heif_image_get_width(decoded, heif_channel_interleaved))
        let height = Int(heif_image_get_height(decoded, heif_channel_interleaved))
        var stride: Int32 = 0
        guard width > 0, height > 0,
            let plane = heif_image_get_plane_readonly(decoded, heif_channel_interleaved, &stride),
            Int(stride) >= width * 4,
            let image = GDImage(width: width, height: height)
        else { return nil }
        var source = UnsafeRawPointer(plane)
        image.forEachRow { row, width in
            var column = 0
            // A `while` loop: iterating a range is slow in unoptimized builds.
            while column < width {
                row[column] = pixel(
                    UInt32(littleEndian: source.loadUnaligned(fromByteOffset: column * 4, as: UInt32.self)))
                column += 1
            }
            source += Int(stride)
        }
        return image
    }

    /// Converts a pixel from alpha, blue, green, red (highest byte first) to alpha, red, green, blue. libgd's alpha
    /// is 0 for opaque and 127 for transparent.
    @inline(__always)
    private static func pixel(_ rgba: UInt32) -> Int32 {
        let alpha = 127 &- (rgba &>> 25)
        let red = rgba & 0xff
        let green = rgba &>> 8 & 0xff
        let blue = rgba &>> 16 & 0xff
        return Int32(bitPattern: alpha &<< 24 | red &<< 16 | green &<< 8 | blue)
    }
}
