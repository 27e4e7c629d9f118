import CGD
import CLCMS2

/// Turns colours of an embedded profile (Display P3, Adobe RGB, …) into sRGB, because profiles are dropped and
/// browsers take what has none for sRGB.
enum ColourConversion {
    /// Converts the image in place. Profiles that can't be read, or aren't for RGB, change nothing.
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
