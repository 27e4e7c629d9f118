import Accounts
import NIOCore
import Synchronization
import WebCore

/// Counts the open connections of each network, over all event loops.
final class ConnectionCounts: Sendable {
    private let limit: Int
    private let proxies: TrustedProxies
    private let counts = Mutex<[String: Int]>([:])

    /// - Parameters:
    ///   - limit: connections of one network at once; see ``ClientNetwork``.
    ///   - proxies: aren't counted, because they connect for all clients.
    init(limit: Int, proxies: TrustedProxies) {
        self.limit = limit
        self.proxies = proxies
    }

    /// Counts a connection until it closes.
    /// - Returns: false when its network has reached the limit.
    func add(_ channel: any Channel) -> Bool {
        guard let address = channel.remoteAddress?.ipAddress, !proxies.contains(address) else { return true }
        let network = ClientNetwork.key(address)
        let isAdded = counts.withLock { counts in
            let count = counts[network, default: 0]
            guard count < limit else { return false }
            counts[network] = count + 1
            return true
        }
        if isAdded { channel.closeFuture.whenComplete { [self] _ in remove(network) } }
        return isAdded
    }

    private func remove(_ network: String) {
        counts.withLock { counts in
            let count = counts[network, default: 0] - 1
            counts[network] = count > 0 ? count : nil
        }
    }
}
