import CGD
import CLCMS2

/// Converts colours from an embedded profile (Display P3, Adobe RGB, …) to sRGB. Stored pictures have no profile, and
/// browsers assume sRGB then.
enum ColourConversion {
    /// Converts the image in place. Ignores profiles that are invalid or not for RGB.
    static func toSRGB(_ image: GDImage, from profile: [UInt8]) {
        guard let source = cmsOpenProfileFromMem(profile, cmsUInt32Number(profile.count)) else { return }
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
}
