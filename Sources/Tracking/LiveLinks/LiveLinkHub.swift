import Accounts
import Kernel
import Logging
import Storage
import Synchronization

/// The open pages of live links on this node. It reads the links of open pages at a fixed rate, so that the cost
/// doesn't depend on the number of positions that arrive, and a link that ended on any node ends its pages.
package final class LiveLinkHub: Sendable {
    private struct State {
        var viewers: [ID<LiveLink>: [LiveLinkViewer]] = [:]
        var networks: [String: Int] = [:]
        var count = 0
        var isOpen = true
        /// The position that the pages of a link show.
        var sent: [ID<LiveLink>: SharedPosition?] = [:]
    }

    private let state = Mutex(State())
    private let database: Database
    private let clock: any WallClock
    private let random: any RandomSource
    private let logger: Logger

    init(database: Database, clock: any WallClock, random: any RandomSource, logger: Logger) {
        self.database = database
        self.clock = clock
        self.random = random
        self.logger = logger
    }

    /// The number of open pages.
    package var viewerCount: Int { state.withLock { $0.count } }

    /// Opens a page of a link.
    /// - Parameter network: The client's network; see `ClientNetwork`.
    /// - Throws: `AppError`: `throttled` when the network or the link has too many open pages; `unavailable` when this
    ///   node has; `notFound` when the link has ended.
    func join(_ link: LiveLink, network: String) async throws -> LiveLinkViewer {
        let now = clock.now
        let viewer = LiveLinkViewer(
            id: "\(ID<LiveLinkViewer>(at: now, random: random))", link: link.id, network: network)
        try state.withLock { state in
            guard state.isOpen, state.count < Limits.liveViewers else { throw AppError(.unavailable, .tooManyViewers) }
            guard state.networks[network, default: 0] < Limits.liveViewersPerNetwork else { throw Self.throttled }
            state.viewers[link.id, default: []].append(viewer)
            state.networks[network, default: 0] += 1
            state.count += 1
        }
        do {
            let position = try await database.write { tx -> SharedPosition? in
                // The lock makes simultaneous pages count each other.
                _ = try LiveLinkStore.lock(link.id, in: tx)
                guard let open = try LiveLinkStore.open(link.id, now: now, in: tx) else { throw AppError.notFound }
                guard try LiveLinkStore.viewerCount(of: link.id, now: now, in: tx) < Limits.liveViewersPerLink else {
                    throw Self.throttled
                }
                try LiveLinkStore.addViewer(viewer.id, to: link.id, now: now, in: tx)
                try tx.publish(TrackingEvents.liveLink(open, now: now))
                return try LiveLinkStore.position(of: open, in: tx)
            }
            viewer.send(position)
            return viewer
        } catch {
            _ = remove(viewer)
            throw error
        }
    }

    /// Removes a page that was closed, and its row.
    package func leave(_ viewer: LiveLinkViewer) {
        guard remove(viewer) else { return }
        let now = clock.now
        Task { [database, logger] in
            do {
                try await database.write { tx in
                    try LiveLinkStore.removeViewer(viewer.id, of: viewer.link, in: tx)
                    guard let link = try LiveLinkStore.open(viewer.link, now: now, in: tx) else { return }
                    try tx.publish(TrackingEvents.liveLink(link, now: now))
                }
            } catch {
                // The row stops counting soon.
                logger.debug("A viewer of a live link could not be removed", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Sends new positions, and ends the pages of links that have ended.
    package func poll() async throws {
        let links = state.withLock { Array($0.viewers.keys) }
        guard !links.isEmpty else { return }
        let now = clock.now
        let found = try await database.read { tx in
            try links.map { id -> (id: ID<LiveLink>, isOpen: Bool, position: SharedPosition?) in
                guard let link = try LiveLinkStore.open(id, now: now, in: tx) else { return (id, false, nil) }
                return (id, true, try LiveLinkStore.position(of: link, in: tx))
            }
        }
        for (id, isOpen, position) in found {
            guard isOpen else {
                for viewer in state.withLock({ $0.viewers[id] ?? [] }) {
                    viewer.end()
                    leave(viewer)
                }
                continue
            }
            let viewers = state.withLock { state -> [LiveLinkViewer] in
                guard let viewers = state.viewers[id] else { return [] }
                if let sent = state.sent[id], sent == position { return [] }
                state.sent[id] = .some(position)
                return viewers
            }
            for viewer in viewers { viewer.send(position) }
        }
    }

    /// Refreshes the rows of the open pages, and sends heartbeats, which detect closed connections.
    package func beat() async throws {
        let viewers = state.withLock { Array($0.viewers.values.joined()) }
        guard !viewers.isEmpty else { return }
        for viewer in viewers { viewer.beat() }
        let now = clock.now
        try await database.write { tx in
            for viewer in viewers { try LiveLinkStore.refresh(viewer.id, of: viewer.link, now: now, in: tx) }
        }
    }

    /// Ends all pages; they connect to another node.
    package func close() {
        let all = state.withLock { state in
            state.isOpen = false
            return Array(state.viewers.values.joined())
        }
        for viewer in all {
            viewer.finish()
            leave(viewer)
        }
    }

    private func remove(_ viewer: LiveLinkViewer) -> Bool {
        let isRemoved = state.withLock { state in
            guard var viewers = state.viewers[viewer.link],
                let index = viewers.firstIndex(where: { $0 === viewer })
            else { return false }
            viewers.remove(at: index)
            state.viewers[viewer.link] = viewers.isEmpty ? nil : viewers
            if viewers.isEmpty { state.sent[viewer.link] = nil }
            let left = state.networks[viewer.network, default: 1] - 1
            state.networks[viewer.network] = left > 0 ? left : nil
            state.count -= 1
            return true
        }
        if isRemoved { viewer.finish() }
        return isRemoved
    }

    private static var throttled: AppError {
        let error = AppError(.throttled, .tooManyViewers)
        return AppError(.throttled, error.message, retryAfterSeconds: Limits.liveViewerBeatSeconds)
    }
}
