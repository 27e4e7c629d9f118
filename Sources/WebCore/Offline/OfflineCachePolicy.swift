import Accounts
import HTTPTypes
import Hummingbird
import Kernel

/// Tells the browser's service worker whose data a response contains, and whether it may be cached and shown without a
/// connection.
///
/// Only marked responses are cached, so a route without a decision stays out of every browser's cache.
struct OfflineCachePolicy: Sendable {
    /// The value of ``HTTPField/Name/homewardOffline`` on responses that may be cached.
    static let keep = "keep"
    /// The value of ``HTTPField/Name/homewardAccount`` on responses without a session.
    static let signedOut = "none"

    private static let types = ["text/html", "application/json", "image/"]
    let routes: Set<String>

    /// - Parameter routes: the patterns of the routes whose GET responses may be cached.
    init(_ routes: [String]) { self.routes = Set(routes) }

    /// Marks a response to a browser. Programs don't need the marks.
    func mark(_ response: inout Response, _ context: AppContext, _ credential: Credential?) {
        guard credential?.kind != .bearer, context.head.method == .get else { return }
        response.headers[.homewardAccount] = context.identity.map { "\($0.account.id)" } ?? Self.signedOut
        guard context.identity != nil, response.status == .ok, let route = context.endpointPath, routes.contains(route)
        else { return }
        // Excludes the downloads at the same paths.
        let type = response.headers[.contentType] ?? ""
        guard Self.types.contains(where: type.hasPrefix) else { return }
        response.headers[.homewardOffline] = Self.keep
    }

    /// Rejects a queued change that another person made in this browser.
    static func check(_ context: AppContext) throws {
        guard let meant = context.header(.homewardAccount), let identity = context.identity else { return }
        guard meant == "\(identity.account.id)" else {
            throw AppError(.unauthenticated, context.t("Sign in first."))
        }
    }
}

extension HTTPField.Name {
    /// `Homeward-Server`: on every response of this server. Pages recognize by its absence what a proxy, or the sign-in
    /// page of a network, sent in the server's place.
    static let homewardServer = Self("Homeward-Server") ?? .trailer
    /// `Homeward-Activity`: a page reports that the person typed, tapped or scrolled.
    static let homewardActivity = Self("Homeward-Activity") ?? .trailer
    /// `Homeward-Offline`: `keep` on responses that a browser may cache and show without a connection.
    static let homewardOffline = Self("Homeward-Offline") ?? .trailer
    /// `Homeward-Account`: on a response, the account whose data it contains; on a queued change, the account that made
    /// it.
    static let homewardAccount = Self("Homeward-Account") ?? .trailer
}
