package import Kernel

/// The texts about rejected pictures that several pages show.
package enum PictureText {
    /// The text about a picture larger than ``Limits/pictureBytes``, also if the body of the whole form was too large.
    package static func tooLarge(_ t: Translator) -> String {
        t(
            "This picture is larger than {megabytes} MB. Choose a smaller one.",
            ["megabytes": String(Limits.pictureMegabytes)])
    }
}
