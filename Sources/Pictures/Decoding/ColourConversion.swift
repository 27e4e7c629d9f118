import CGD
import CLCMS2

/// The colours of a picture, as its file names them.
enum ColourSource: Equatable {
    /// An ICC profile.
    case profile([UInt8])
    case space(ColourSpace)
}

/// Converts colours of a file (Display P3, Adobe RGB, …) to sRGB. Stored pictures have no profile, and browsers assume
/// sRGB then.
enum ColourConversion {
    /// Converts the image in place. Ignores profiles that are invalid or not for RGB.
    static func toSRGB(_ image: GDImage, from colours: ColourSource) {
        let source: cmsHPROFILE? =
            switch colours {
            case .profile(let bytes): cmsOpenProfileFromMem(bytes, cmsUInt32Number(bytes.count))
            case .space(let space): space.profile()
            }
        guard let source else { return }
        defer { cmsCloseProfile(source) }
        guard cmsGetColorSpace(source) == cmsSigRgbData, let target = cmsCreate_sRGBProfile() else { return }
        defer { cmsCloseProfile(target) }
        let layout = homeward_gd_pixel_layout
        let intent = cmsUInt32Number(INTENT_PERCEPTUAL)
        guard let transform = cmsCreateTransform(source, layout, target, layout, intent, 0) else { return }
        defer { cmsDeleteTransform(transform) }
        image.forEachRow { row, width in
            cmsDoTransform(transform, row, row, cmsUInt32Number(width))
        }
    }

    /// Returns a transformation of CMYK to pixels of libgd, which the caller deletes; `nil` for a profile that is
    /// invalid or not for CMYK.
    static func transform(ofInks profile: [UInt8], isInverted: Bool) -> cmsHTRANSFORM? {
        guard let source = cmsOpenProfileFromMem(profile, cmsUInt32Number(profile.count)) else { return nil }
        defer { cmsCloseProfile(source) }
        guard cmsGetColorSpace(source) == cmsSigCmykData, let target = cmsCreate_sRGBProfile() else { return nil }
        defer { cmsCloseProfile(target) }
        let layout = isInverted ? homeward_inverted_cmyk_layout : homeward_cmyk_layout
        return cmsCreateTransform(
            source, layout, target, homeward_gd_pixel_layout, cmsUInt32Number(INTENT_PERCEPTUAL), 0)
    }
}
