import Accounts
import Kernel
import Logging
import NIOCore
import Synchronization
import WebCore

/// Counts open connections, or open HTTP/2 streams, over all event loops: those of each network and all together.
final class ConnectionCounts: Sendable {
    /// What is counted, as the log names it.
    enum Subject: String {
        case connections
        case streams = "HTTP/2 streams"
    }

    private enum ReachedLimit {
        case ofNetwork(String)
        case inAll(Int)
    }

    private struct State {
        var ofNetworks: [String: Int] = [:]
        var inAll = 0
        var warnedAt: Instant?
    }

    private let subject: Subject
    private let perNetwork: Int
    private let inAll: Int?
    private let proxies: TrustedProxies
    private let clock: any WallClock
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - perNetwork: the maximum of one network; see ``ClientNetwork``.
    ///   - inAll: the maximum of all networks and proxies together; `nil` for none.
    ///   - proxies: exempt from the limit of one network, because they connect on behalf of all clients.
    ///   - logger: gets a warning when a limit is reached, at most one in ``Limits/connectionWarningSeconds``.
    init(
        of subject: Subject, perNetwork: Int, inAll: Int? = nil, proxies: TrustedProxies, clock: any WallClock,
        logger: Logger
    ) {
        self.subject = subject
        self.perNetwork = perNetwork
        self.inAll = inAll
        self.proxies = proxies
        self.clock = clock
        self.logger = logger
    }

    /// The network of a connection's client; `nil` if the limit of one network doesn't apply to it.
    func network(of connection: any Channel) -> String? {
        guard let address = connection.remoteAddress?.ipAddress, !proxies.contains(address) else { return nil }
        return ClientNetwork.key(address)
    }

    /// Counts a connection or stream until it closes.
    /// - Parameter network: the one of its client; see ``network(of:)``.
    /// - Returns: false when a limit is reached.
    func add(_ channel: any Channel, of network: String?) -> Bool {
        let isAdded = add(network: network)
        if isAdded { channel.closeFuture.whenComplete { [self] _ in remove(network: network) } }
        return isAdded
    }

    /// - Returns: false when a limit is reached.
    func add(network: String?) -> Bool {
        let reached = state.withLock { state -> ReachedLimit? in
            if let network, state.ofNetworks[network, default: 0] >= perNetwork { return .ofNetwork(network) }
            if let inAll, state.inAll >= inAll { return .inAll(inAll) }
            if let network { state.ofNetworks[network, default: 0] += 1 }
            state.inAll += 1
            return nil
        }
        guard let reached else { return true }
        warn(of: reached)
        return false
    }

    func remove(network: String?) {
        state.withLock { state in
            state.inAll -= 1
            guard let network else { return }
            let count = state.ofNetworks[network, default: 0] - 1
            state.ofNetworks[network] = count > 0 ? count : nil
        }
    }

    private func warn(of limit: ReachedLimit) {
        let isDue = state.withLock { state -> Bool in
            let now = clock.now
            if let warnedAt = state.warnedAt, abs(now.seconds(since: warnedAt)) < Limits.connectionWarningSeconds {
                return false
            }
            state.warnedAt = now
            return true
        }
        guard isDue else { return }
        let name = subject.rawValue
        switch limit {
        case .ofNetwork(let network):
            logger.warning(
                "A network has reached its limit of \(name). If it is a reverse proxy, name it in the setting",
                metadata: ["network": "\(network)", "limit": "\(perNetwork)", "setting": "HOMEWARD_TRUSTED_PROXIES"])
        case .inAll(let maximum):
            logger.warning(
                "All networks together have reached the limit of \(name)", metadata: ["limit": "\(maximum)"])
        }
    }
}
