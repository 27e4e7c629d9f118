import Accounts
import Kernel
import Storage
import TrackerProtocol

/// The signed channels between the server and its trackers.
struct TrackerChannels: Sendable {
    let secrets: SecretBox

    /// Returns the channel with a tracker's stored keys.
    func channel(to tracker: StoredTracker) throws -> ServerChannel {
        guard let keys = TrackerKeys(stored: try secrets.open(tracker.keys)) else { throw AppError.notFound }
        return ServerChannel(tracker: tracker.id, keys: keys)
    }
}
