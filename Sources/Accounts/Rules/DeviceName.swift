package import Kernel

/// The name of a device in the list of devices, derived from its user agent. It is stored in English, and translated
/// where it is shown.
package enum DeviceName {
    private static let browsers: [(mark: String, name: String)] = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"), ("Chromium/", "Chromium"),
        ("Chrome/", "Chrome"), ("Safari/", "Safari"), ("curl/", "curl"), ("python-requests/", "Python"),
    ]
    private static let systems: [(mark: String, name: String)] = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
        ("Macintosh", "Mac"), ("Linux", "Linux"),
    ]

    private static let unknown = "Unknown device"
    private static let separator = " on "

    /// Returns the text for a stored name in the translator's language: `Chrome auf Android`. A name that isn't made of
    /// a known browser and system stays as it is.
    package static func text(_ stored: String, _ t: Translator) -> String {
        if stored == unknown { return t("Unknown device") }
        guard let middle = stored.firstRange(of: separator) else { return stored }
        let browser = String(stored[..<middle.lowerBound])
        let system = String(stored[middle.upperBound...])
        guard browsers.contains(where: { $0.name == browser }), systems.contains(where: { $0.name == system }) else {
            return stored
        }
        return t("{browser} on {system}", ["browser": browser, "system": system])
    }

    /// Returns `Chrome on Android` for a browser, the first 40 characters of any other text, `Unknown device` for none.
    /// - Parameter userAgent: the header as received; untrusted.
    package static func describe(userAgent: String?) -> String {
        guard let userAgent, !userAgent.isEmpty else { return unknown }
        let browser = browsers.first { userAgent.contains($0.mark) }?.name
        let system = systems.first { userAgent.contains($0.mark) }?.name
        switch (browser, system) {
        case (let browser?, let system?): return "\(browser)\(separator)\(system)"
        case (let name?, nil), (nil, let name?): return name
        case (nil, nil):
            let visible = userAgent.unicodeScalars.filter { $0.properties.generalCategory != .control }
            let head = String(String.UnicodeScalarView(visible.prefix(40)))
            return head.isEmpty ? unknown : head
        }
    }
}
