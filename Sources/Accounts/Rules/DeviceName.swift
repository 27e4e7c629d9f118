/// The name of a device in the list of devices, derived from its user agent.
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

    /// Returns `Chrome on Android` for a browser, the first 40 characters of any other text, `Unknown device` for none.
    /// - Parameter userAgent: the header as received; untrusted.
    package static func describe(userAgent: String?) -> String {
        guard let userAgent, !userAgent.isEmpty else { return "Unknown device" }
        let browser = browsers.first { userAgent.contains($0.mark) }?.name
        let system = systems.first { userAgent.contains($0.mark) }?.name
        switch (browser, system) {
        case (let browser?, let system?): return "\(browser) on \(system)"
        case (let name?, nil), (nil, let name?): return name
        case (nil, nil):
            let visible = userAgent.unicodeScalars.filter { $0.properties.generalCategory != .control }
            let head = String(String.UnicodeScalarView(visible.prefix(40)))
            return head.isEmpty ? "Unknown device" : head
        }
    }
}
