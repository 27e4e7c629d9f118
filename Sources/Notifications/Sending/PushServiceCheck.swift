import Kernel
import Storage

/// Requests the push services of the newest subscriptions, to find out whether this server can reach them.
package struct PushServiceCheck: Sendable {
    /// A push service that gave no response.
    package struct Failure: Sendable, Equatable {
        package let host: String
        package let reason: String
    }

    let database: Database
    let transport: any PushTransport

    /// Returns the first service without a response; `nil` if all respond, or no browser is subscribed. Any response is
    /// sufficient: the request names no subscription.
    /// - Throws: when the database can't be read.
    package func failure() async throws -> Failure? {
        let endpoints = try await database.read { tx in
            try SubscriptionStore.newestEndpoints(limit: Limits.pushCheckSubscriptions, in: tx)
        }
        var checked: Set<String> = []
        for parts in endpoints.compactMap(PushHosts.parts) where checked.insert(parts.host).inserted {
            guard checked.count <= Limits.pushCheckHosts else { break }
            do throws(PushTransportFailure) {
                _ = try await transport.send(PushRequest(endpoint: parts.origin + "/", headers: [], body: []))
            } catch {
                return Failure(host: parts.host, reason: error.reason)
            }
        }
        return nil
    }
}

extension PushTransportFailure {
    fileprivate var reason: String {
        switch self {
        case .unreachable(let reason): reason
        case .notPublic: "its addresses aren't public"
        }
    }
}
