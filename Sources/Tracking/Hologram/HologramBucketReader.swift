import Hologram
import Kernel
import Logging
import Objects
import Storage

/// An object that was read from the cloud's bucket.
private struct ImportedObject: Sendable {
    let key: String
    /// `nil` for an object that isn't a message of the cloud.
    let delivery: HologramDelivery?
}

/// Reads the trackers' messages in the cloud's bucket.
struct HologramBucketReader: Sendable {
    let bucket: any ObjectStore
    let database: Database
    let messages: HologramMessageService
    let logger: Logger

    /// Reads the bucket's new objects and removes those that are ours. Other objects stay there and aren't read again.
    func importObjects(now: Instant) async throws {
        var count = 0
        var after: String?
        while count < Limits.importedObjects {
            let limit = min(Limits.importBatch, Limits.objectPage)
            let keys = try await bucket.keys(below: "", after: after, limit: limit)
            let known = try await database.write { tx in
                try HologramFeedStore.touch(keys, now: now, in: tx)
                return try HologramFeedStore.known(keys, in: tx)
            }
            let fresh = keys.filter { known[$0] == nil }
            for object in try await read(fresh) where try await process(object, now: now) {
                try await remove(object.key)
            }
            // Read earlier, but their removal failed.
            for key in keys where known[key] == true { try await remove(key) }
            count += fresh.count
            after = keys.last
            guard keys.count == limit else {
                return try await database.write { tx in try HologramFeedStore.forget(notSeenSince: now, in: tx) }
            }
        }
    }

    /// Reads a batch of objects and sorts them by the time at which the cloud received them.
    private func read(_ keys: [String]) async throws -> [ImportedObject] {
        var objects: [ImportedObject] = []
        for key in keys {
            do {
                guard let bytes = try await bucket.get(key) else { continue }
                let isSmall = bytes.count <= Limits.importedObjectBytes
                objects.append(
                    ImportedObject(key: key, delivery: isSmall ? HologramDelivery(routed: bytes) : nil)
                )
            } catch ObjectStoreError.tooLarge, ObjectStoreError.damaged, ObjectStoreError.invalidKey {
                objects.append(ImportedObject(key: key, delivery: nil))
            } catch ObjectStoreError.refused(let status, let code) {
                // The refusal may concern only this object, so the others continue.
                let metadata: Logger.Metadata = ["key": "\(key)", "status": "\(status)", "code": "\(code)"]
                logger.warning("An object of the bucket could not be read", metadata: metadata)
            }
        }
        let start = Instant(millisecondsSince1970: .min)
        return objects.sorted { left, right in
            let times = (left.delivery?.receivedAt ?? start, right.delivery?.receivedAt ?? start)
            return times.0 == times.1 ? left.key < right.key : times.0 < times.1
        }
    }

    /// - Returns: Whether the object is ours and can be removed.
    private func process(_ object: ImportedObject, now: Instant) async throws -> Bool {
        try await database.write { [messages] tx in
            let source = "hologram object \(object.key)"
            guard let delivery = object.delivery else {
                if try HologramFeedStore.insertObject(object.key, isRead: false, now: now, in: tx) {
                    try messages.quarantine(.unexpectedShape, from: source, now: now, in: tx)
                }
                return false
            }
            // Another node may be processing it.
            guard try HologramFeedStore.insertObject(object.key, isRead: true, now: now, in: tx) else { return false }
            switch try messages.process(delivery, from: source, now: now, in: tx) {
            case .processed, .unauthenticated: return true
            case .noFrames:
                try HologramFeedStore.markUnrecognized(object.key, in: tx)
                return false
            }
        }
    }

    private func remove(_ key: String) async throws {
        do {
            try await bucket.delete(key)
        } catch let error as ObjectStoreError {
            // The object is recorded as read. It does no harm in the bucket, and the next reading removes it.
            logger.warning(
                "An object that was read could not be removed from the bucket", metadata: ["error": "\(error)"]
            )
            return
        }
        try await database.write { tx in try HologramFeedStore.forget(key, in: tx) }
    }
}
