extension SiteCookie {
    /// The browser's time zone, which the pages' script stores. Not a secret.
    fileprivate static let timeZone = SiteCookie(
        "homeward-zone", secureName: "homeward-zone", lifetimeSeconds: nil, isReadByScripts: true)
}

extension WebContext {
    /// The browser's time zone, as its script stored it; `nil` without scripts.
    package var browserTimeZone: String? { SiteCookie.timeZone.value(self) }
}
