import Kernel
package import Storage

/// Requests push services, to find out whether this server can reach them: those that the setting names, and those of
/// the newest subscriptions.
package struct PushServiceCheck: Sendable {
    /// The result of a check.
    package enum Result: Sendable, Equatable {
        /// The setting names no service, and no browser is subscribed.
        case untried
        case works
        /// A push service that gave no response.
        case failure(host: String, reason: String)
    }

    private let hosts: PushHosts
    private let transport: any PushTransport

    package init(hosts: PushHosts, transport: any PushTransport) {
        self.hosts = hosts
        self.transport = transport
    }

    /// Returns the first service without a response. Any response is sufficient: the request names no subscription.
    /// - Parameter database: `nil` where there are no subscriptions to read.
    /// - Throws: when the database can't be read.
    package func result(_ database: Database?) async throws -> Result {
        let endpoints =
            try await database?.read { tx in
                try SubscriptionStore.newestEndpoints(limit: Limits.pushCheckSubscriptions, in: tx)
            } ?? []
        var names = Set(hosts.added.prefix(Limits.pushCheckHosts))
        for parts in endpoints.compactMap(PushHosts.parts) where hosts.contains(parts.host) {
            if names.count < Limits.pushCheckHosts { names.insert(parts.host) }
        }
        guard !names.isEmpty else { return .untried }
        return await withTaskGroup(of: Result?.self) { group in
            for host in names { group.addTask { await failure(of: host) } }
            let failure: Result? = await group.reduce(nil) { $0 ?? $1 }
            return failure ?? .works
        }
    }

    private func failure(of host: String) async -> Result? {
        do throws(PushTransportFailure) {
            _ = try await transport.send(PushRequest(endpoint: "https://\(host)/", headers: [], body: []))
            return nil
        } catch {
            return .failure(host: host, reason: error.reason)
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
