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
    let hosts: PushHosts
    let transport: any PushTransport

    /// Returns the first service without a response; `nil` if all respond, or no browser is subscribed. Any response is
    /// sufficient: the request names no subscription.
    /// - Throws: when the database can't be read.
    package func failure() async throws -> Failure? {
        let endpoints = try await database.read { tx in
            try SubscriptionStore.newestEndpoints(limit: Limits.pushCheckSubscriptions, in: tx)
        }
        var origins: [String: String] = [:]
        for parts in endpoints.compactMap(PushHosts.parts) where hosts.contains(parts.host) {
            if origins.count < Limits.pushCheckHosts { origins[parts.host] = parts.origin }
        }
        return await withTaskGroup(of: Failure?.self) { group in
            for (host, origin) in origins { group.addTask { await failure(of: host, at: origin) } }
            return await group.reduce(nil) { $0 ?? $1 }
        }
    }

    private func failure(of host: String, at origin: String) async -> Failure? {
        do throws(PushTransportFailure) {
            _ = try await transport.send(PushRequest(endpoint: origin + "/", headers: [], body: []))
            return nil
        } catch {
            return Failure(host: host, reason: error.reason)
        }
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
