import Accounts
import Kernel
import Logging
import NIOCore
import Synchronization
import WebCore

/// Counts the open connections of each network, or its open HTTP/2 streams, over all event loops.
final class ConnectionCounts: Sendable {
    private struct State {
        var connections: [String: Int] = [:]
        var warnedAt: Instant?
    }

    private let limit: Int
    private let proxies: TrustedProxies
    private let clock: any WallClock
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: connections of one network at once; see ``ClientNetwork``.
    ///   - proxies: not counted, because they connect on behalf of all clients.
    ///   - logger: gets a warning when a network reaches the limit, at most one in ``Limits/connectionWarningSeconds``.
    init(limit: Int, proxies: TrustedProxies, clock: any WallClock, logger: Logger) {
        self.limit = limit
        self.proxies = proxies
        self.clock = clock
        self.logger = logger
    }

    /// Counts a connection until it closes.
    /// - Returns: false when its network has reached the limit.
    func add(_ channel: any Channel) -> Bool {
        guard let network = network(of: channel) else { return true }
        return add(channel, of: network)
    }

    /// The network of a connection's client; `nil` if its connections have no limit.
    func network(of channel: any Channel) -> String? {
        guard let address = channel.remoteAddress?.ipAddress, !proxies.contains(address) else { return nil }
        return ClientNetwork.key(address)
    }

    /// Counts a connection or stream of `network` until it closes.
    /// - Returns: false when the network has reached the limit.
    func add(_ channel: any Channel, of network: String) -> Bool {
        let isAdded = add(network: network)
        if isAdded { channel.closeFuture.whenComplete { [self] _ in remove(network: network) } }
        return isAdded
    }

    /// - Returns: false when the network has reached the limit.
    func add(network: String) -> Bool {
        let (isAdded, needsWarning) = state.withLock { state in
            let count = state.connections[network, default: 0]
            guard count >= limit else {
                state.connections[network] = count + 1
                return (true, false)
            }
            let now = clock.now
            if let warnedAt = state.warnedAt, abs(now.seconds(since: warnedAt)) < Limits.connectionWarningSeconds {
                return (false, false)
            }
            state.warnedAt = now
            return (false, true)
        }
        if needsWarning {
            logger.warning(
                "A network has reached its limit of connections. If it is a reverse proxy, name it in the setting",
                metadata: ["network": "\(network)", "limit": "\(limit)", "setting": "HOMEWARD_TRUSTED_PROXIES"])
        }
        return isAdded
    }

    func remove(network: String) {
        state.withLock { state in
            let count = state.connections[network, default: 0] - 1
            state.connections[network] = count > 0 ? count : nil
        }
    }
}
