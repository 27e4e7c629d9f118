import Kernel
import Storage
import TrackerProtocol

/// Trackers without an owner.
package struct TrackerService: Sendable {
    let database: Database

    /// Deletes a tracker that was released but can't confirm it any more, for an administrator. At its next contact the
    /// tracker registers again, with a new claim code.
    /// - Throws: `AppError`: `notFound`; `conflict` while the tracker has an owner.
    package func delete(_ id: String) async throws {
        guard let id = TrackerID(id) else { throw AppError.notFound }
        try await database.write { tx in
            guard let tracker = try TrackerStore.lock(id, in: tx) else { throw AppError.notFound }
            guard tracker.itemID == nil else { throw AppError(.conflict, .trackerInUse) }
            try TrackerStore.delete(id, in: tx)
        }
    }
}
