package import Kernel

/// Where bytes are kept that are too large for the database: a folder, or a bucket.
///
/// Objects are written once and never changed; what they mean is the database's business.
package protocol ObjectStore: Sendable {
    /// Keeps `bytes` at `key`, replacing what was there. When it returns, they are on disk.
    /// - Throws: ``ObjectStoreError``.
    func put(_ bytes: [UInt8], at key: String) async throws
    /// The bytes at `key`; `nil` when there are none.
    /// - Throws: ``ObjectStoreError``.
    func get(_ key: String) async throws -> [UInt8]?
    /// Forgets what is at `key`; nothing there is no error. When it returns, the removal is on disk.
    /// - Throws: ``ObjectStoreError``.
    func delete(_ key: String) async throws
    /// The keys that begin with `prefix`, in order.
    /// - Throws: ``ObjectStoreError``.
    func keys(below prefix: String) async throws -> [String]
    /// Forgets what writes left behind that were interrupted before `instant`.
    /// - Throws: ``ObjectStoreError``.
    func discardInterrupted(before instant: Instant) async throws
}

/// Why an object store could not do what it was asked.
package enum ObjectStoreError: Error, Equatable, Sendable {
    /// The key breaks the rules of ``ObjectKey``.
    case invalidKey
    /// The object is larger than `Limits.objectBytes`.
    case tooLarge
    /// Too many requests wait for the disk.
    case busy
    /// The operating system refused; its error number (`errno`) and the step that failed.
    case system(step: String, code: Int32)
}

/// The rules for keys: up to 255 bytes of `a-z 0-9 . _ -` in parts divided by `/`; no part is empty or begins with a
/// dot. So a key is a path that can't leave its folder and means the same in every bucket.
package enum ObjectKey {
    /// Bytes of a key at the most.
    package static let maximumBytes = 255

    /// Whether `key` follows the rules.
    package static func isValid(_ key: String) -> Bool {
        guard !key.isEmpty, key.utf8.count <= maximumBytes else { return false }
        return key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.first, first != UInt8(ascii: ".") else { return false }
            return part.allSatisfy(isAllowed)
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
