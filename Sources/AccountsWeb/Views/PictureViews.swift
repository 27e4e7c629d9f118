import Kernel
import Pictures
import WebCore

/// The view of the library of photos.
struct PicturesPage: Sendable {
    let shell: Shell
    /// The error message of the upload.
    let problem: String?
    let isEmpty: Bool
    let pictures: [PictureTile]
    /// The URL of the next page; `nil` at the end.
    let nextURL: String?

    init(
        _ context: SignedInContext, pictures: [Picture], next: String?, isBuiltIn: Bool = false, error: AppError?
    ) {
        let errors = FormErrors(error)
        problem = errors["picture"] ?? errors.message
        isEmpty = pictures.isEmpty
        self.pictures = pictures.map {
            PictureTile($0, context.t, context.language, isKept: isBuiltIn || context.isChild)
        }
        nextURL = next.map { isBuiltIn ? "/pictures?builtin=true&after=\($0)" : "/pictures?after=\($0)" }
        shell = Shell(
            context, title: context.t("Photos"), menu: .settings(context), tab: "settings", isRefreshable: true,
            back: ShellBack(url: "/account", label: context.t("Settings", context: "narrow button"))
        )
    }
}

struct PictureTile: Sendable {
    let id: String
    /// The label for screen readers.
    let label: String
    /// Whether the reader can't delete it.
    let isKept: Bool

    init(_ picture: Picture, _ t: Translator, _ language: Language, isKept: Bool) {
        self.isKept = isKept
        id = picture.id.description
        label = "\(t("Photo of")) \(DateText.of(picture.createdAt, language))"
    }
}
