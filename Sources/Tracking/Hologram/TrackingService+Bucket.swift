import Hologram
import Kernel
import Logging
import Objects
import Storage

/// An object of the cloud's bucket, read.
private struct ImportedObject: Sendable {
    let key: String
    /// `nil` when it isn't what the cloud puts there.
    let delivery: HologramDelivery?
}

extension TrackingService {
    /// Reads the bucket's new objects, and removes those that were ours: it is a letter box. What is none of ours stays
    /// there, and isn't looked at again.
    func importObjects(of bucket: any ObjectStore, now: Instant) async throws {
        var count = 0
        var after: String?
        while count < Limits.importedObjects {
            let limit = min(Limits.importBatch, Limits.objectPage)
            let keys = try await bucket.keys(below: "", after: after, limit: limit)
            let known = try await database.write { tx in
                try CloudStore.touch(keys, now: now, in: tx)
                return try CloudStore.known(keys, in: tx)
            }
            let fresh = keys.filter { known[$0] == nil }
            for object in try await read(fresh, of: bucket) where try await take(object, now: now) {
                try await remove(object.key, from: bucket)
            }
            // Read before, but the bucket would not let go of them then.
            for key in keys where known[key] == true { try await remove(key, from: bucket) }
            count += fresh.count
            after = keys.last
            guard keys.count == limit else {
                return try await database.write { tx in try CloudStore.forget(notSeenSince: now, in: tx) }
            }
        }
    }

    /// A batch of objects in the order in which the cloud got them.
    private func read(_ keys: [String], of bucket: any ObjectStore) async throws -> [ImportedObject] {
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
                // This one alone may be out of bounds: the others aren't held up.
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

    /// - Returns: whether it was ours, and can go.
    private func take(_ object: ImportedObject, now: Instant) async throws -> Bool {
        try await database.write { [self] tx in
            let source = "hologram object \(object.key)"
            guard let delivery = object.delivery else {
                if try CloudStore.note(object.key, isRead: false, now: now, in: tx) {
                    try refuse(.unexpectedShape, from: source, now: now, in: tx)
                }
                return false
            }
            // Another node may be at it.
            guard try CloudStore.note(object.key, isRead: true, now: now, in: tx) else { return false }
            switch try take(delivery, from: source, now: now, in: tx) {
            case .taken, .unproved: return true
            case .foreign:
                try CloudStore.keep(object.key, in: tx)
                return false
            }
        }
    }

    private func remove(_ key: String, from bucket: any ObjectStore) async throws {
        do {
            try await bucket.delete(key)
        } catch let error as ObjectStoreError {
            // It is noted as read: it does no harm there, and is removed another time.
            logger.warning(
                "An object that was read could not be removed from the bucket", metadata: ["error": "\(error)"]
            )
            return
        }
        try await database.write { tx in try CloudStore.forget(key, in: tx) }
    }
}
