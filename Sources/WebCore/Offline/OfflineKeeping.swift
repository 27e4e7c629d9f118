import Accounts
import HTTPTypes
import Hummingbird
import Kernel

/// Tells the browser's service worker whose an answer is, and whether it may be kept to be shown without a connection.
///
/// Nothing is kept that isn't marked: a route that nobody decided about stays out of every browser's store.
struct OfflineKeeping: Sendable {
    /// The value of ``HTTPField/Name/homewardOffline`` on what may be kept.
    static let keep = "keep"
    /// The value of ``HTTPField/Name/homewardAccount`` on answers to nobody.
    static let nobody = "none"

    private static let types = ["text/html", "application/json", "image/"]
    let routes: Set<String>

    /// - Parameter routes: the patterns of the routes whose GET answers may be kept.
    init(_ routes: [String]) { self.routes = Set(routes) }

    /// Marks what goes to a browser. Programs have no use for it.
    func mark(_ response: inout Response, _ context: AppContext, _ credential: Credential?) {
        guard credential?.kind != .bearer, context.head.method == .get else { return }
        response.headers[.homewardAccount] = context.identity.map { "\($0.account.id)" } ?? Self.nobody
        guard context.identity != nil, response.status == .ok, let route = context.endpointPath, routes.contains(route)
        else { return }
        // Not the downloads that stand at the same address.
        let type = response.headers[.contentType] ?? ""
        guard Self.types.contains(where: type.hasPrefix) else { return }
        response.headers[.homewardOffline] = Self.keep
    }

    /// Refuses a change that waited in this browser for another person than the one whose session it came with.
    static func check(_ context: AppContext) throws {
        guard let meant = context.header(.homewardAccount), let identity = context.identity else { return }
        guard meant == "\(identity.account.id)" else {
            throw AppError(.unauthenticated, WebStrings.of(context.language).signInFirst)
        }
    }
}

extension HTTPField.Name {
    /// `Homeward-Offline`: `keep` on answers that a browser may keep and show without a connection.
    static let homewardOffline = Self("Homeward-Offline") ?? .trailer
    /// `Homeward-Account`: on an answer, whose it is; on a change that waited in a browser, who made it.
    static let homewardAccount = Self("Homeward-Account") ?? .trailer
}
