import HTTPTypes
import Hummingbird

/// The headers of every response: what a browser may do with it, and that it comes from this server.
struct SecurityHeaders: Sendable {
    private let page: HTTPFields
    private let other: HTTPFields

    init(_ site: Site) {
        let images = ["'self'", "data:", "blob:"] + (site.tiles.origin.map { [$0] } ?? [])
        // The first tap on "Navigate" is a form whose response redirects to the chosen maps; browsers check that
        // target, too.
        let forms = "'self' https://maps.apple.com https://www.google.com"
        let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src \(images.joined(separator: " "))",
            "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "media-src 'self' blob:",
            "font-src 'self'",
            "form-action \(forms)", "base-uri 'none'", "frame-ancestors 'none'", "object-src 'none'",
        ]
        var other = HTTPFields()
        other[.homewardServer] = "1"
        other[.xContentTypeOptions] = "nosniff"
        other[.crossOriginResourcePolicy] = "same-origin"
        if site.isSecure { other[.strictTransportSecurity] = "max-age=63072000" }
        self.other = other
        var page = other
        page[.contentSecurityPolicy] = policy.joined(separator: "; ")
        page[.crossOriginOpenerPolicy] = "same-origin"
        // Tile servers require the site that shows their tiles; the path isn't sent.
        page[.referrerPolicy] = "strict-origin-when-cross-origin"
        page[.permissionsPolicy] =
            "geolocation=(self), camera=(self), microphone=(), payment=(), usb=()"
        self.page = page
    }

    func add(to response: inout Response) {
        let isPage = response.headers[.contentType] == Responses.htmlType
        response.headers.append(contentsOf: isPage ? page : other)
    }
}
