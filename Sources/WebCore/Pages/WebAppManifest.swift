import Foundation
import Kernel
import Translations

/// The manifest of one app in one language, from which a browser installs the app
/// (https://www.w3.org/TR/appmanifest/).
///
/// Each language has its own file, because a browser caches static files indefinitely and fetches a manifest without
/// cookies. The id must never change: with another one, a browser no longer finds the installed app.
struct WebAppManifest: Encodable {
    struct Icon: Encodable {
        let src: String
        let sizes: String
        let type: String
        var purpose: String?
    }

    struct Shortcut: Encodable {
        let name: String
        let url: String
        let icons: [Icon]
    }

    struct LaunchHandler: Encodable {
        let clientMode: [String]
    }

    let id: String
    let name: String
    let shortName: String
    let description: String
    let startUrl: String
    let scope = "/"
    let display = "standalone"
    let backgroundColor = "#f2f2f6"
    let themeColor = "#f2f2f6"
    let categories = ["lifestyle", "utilities"]
    let icons: [Icon]
    let lang: String
    let dir = "auto"
    let launchHandler = LaunchHandler(clientMode: ["navigate-existing", "auto"])
    let shortcuts: [Shortcut]

    /// - Parameters:
    ///   - app: the name of the app's icons.
    ///   - path: the app's first page, which is also its id.
    private init(
        _ t: Translator, app: String, name: String, path: String, description: String, shortcuts: [Shortcut]
    ) {
        id = path
        self.name = app == AppMenu.homeID ? name : "\(name) – Homeward"
        shortName = name
        // Soft hyphens are for narrow pages.
        self.description = description.replacing("\u{AD}", with: "")
        startUrl = path
        icons = [
            Icon(src: "icons/\(app).svg", sizes: "any", type: "image/svg+xml"),
            Self.image(app, 192, purpose: "any"), Self.image(app, 512, purpose: "any"),
            Self.image(app, 512, purpose: "maskable"),
        ]
        lang = t.language.rawValue
        self.shortcuts = shortcuts
    }

    private static func image(_ app: String, _ pixels: Int, purpose: String? = nil) -> Icon {
        Icon(src: "icons/\(app)-\(pixels).png", sizes: "\(pixels)x\(pixels)", type: "image/png", purpose: purpose)
    }

    private static func shortcut(_ name: String, _ url: String, icon app: String) -> Shortcut {
        Shortcut(name: name, url: url, icons: [image(app, 192)])
    }

    /// The manifests in the translator's language, by the id of their app.
    static func all(_ t: Translator) -> [String: WebAppManifest] {
        let family = t("Family", context: "app")
        return [
            AppMenu.homeID: WebAppManifest(
                t, app: AppMenu.homeID, name: "Homeward", path: "/",
                description: t("Find your items, organize your family, carry your neighbours’ packages."),
                shortcuts: [
                    shortcut("Tracking", "/tracking/items", icon: "tracking"),
                    shortcut(family, "/family", icon: "family"),
                    shortcut("Carrepsa", "/carrepsa/packages", icon: "carrepsa"),
                ]),
            "tracking": WebAppManifest(
                t, app: "tracking", name: "Tracking", path: "/tracking",
                description: t("Know where your keys, bag and bike are."),
                shortcuts: [
                    shortcut(t("Items"), "/tracking/items", icon: "tracking"),
                    shortcut(t("Add item"), "/tracking/items/new", icon: "tracking"),
                ]),
            "family": WebAppManifest(
                t, app: "family", name: family, path: "/family",
                description: t("Chores, points and rewards for children."),
                shortcuts: [
                    shortcut(t("Family"), "/family", icon: "family"),
                    shortcut(t("Account"), "/family/account", icon: "family"),
                ]),
            "carrepsa": WebAppManifest(
                t, app: "carrepsa", name: "Carrepsa", path: "/carrepsa",
                description: t("Packages carried by neighbours."),
                shortcuts: [
                    shortcut(t("Search"), "/carrepsa/packages", icon: "carrepsa"),
                    shortcut(t("My packages"), "/carrepsa/packages?role=owner", icon: "carrepsa"),
                    shortcut(t("My deliveries"), "/carrepsa/packages?role=carrier", icon: "carrepsa"),
                ]),
        ]
    }

    /// The name of the file with an app's manifest in a language.
    static func fileName(app: String, language: Language) -> String {
        "manifest-\(app).\(language.rawValue).webmanifest"
    }

    /// The files of all apps in all languages, by name. Those without a language in their name are English; pages of
    /// earlier versions, and the apps installed from them, use them.
    static func files() throws -> [String: [UInt8]] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var files: [String: [UInt8]] = [:]
        for language in Language.allCases {
            for (app, manifest) in all(Translations.translator(language)) {
                let content = Array(try encoder.encode(manifest))
                files[fileName(app: app, language: language)] = content
                if language == .english { files["manifest-\(app).webmanifest"] = content }
            }
        }
        return files
    }
}
