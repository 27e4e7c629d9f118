package import Kernel

/// A store for bytes that are too large for the database: a folder, or a bucket.
///
/// Objects are written once and never changed. Only the database knows their meaning.
package protocol ObjectStore: Sendable {
    /// Stores `bytes` at `key` and replaces an existing object. On return the bytes are durable.
    /// - Throws: ``ObjectStoreError``.
    func put(_ bytes: [UInt8], at key: String) async throws
    /// Returns the bytes at `key`; `nil` when there is no object.
    /// - Throws: ``ObjectStoreError``.
    func get(_ key: String) async throws -> [UInt8]?
    /// Deletes the object at `key`; a missing object is no error. On return the removal is durable.
    /// - Throws: ``ObjectStoreError``.
    func delete(_ key: String) async throws
    /// Returns a page of the keys that begin with `prefix`, in byte order.
    /// - Parameters:
    ///   - after: The last key of the previous page; `nil` for the first page.
    ///   - limit: The maximum number of keys, 1 to `Limits.objectPage`. A shorter page is the last.
    /// - Throws: ``ObjectStoreError``.
    func keys(below prefix: String, after: String?, limit: Int) async throws -> [String]
    /// Removes the remains of writes that were interrupted before `instant`.
    /// - Throws: ``ObjectStoreError``.
    func discardInterrupted(before instant: Instant) async throws
    /// Checks that the store is reachable.
    /// - Throws: ``ObjectStoreError``, whose description explains the problem to the administrator.
    func check() async throws
}

extension ObjectStore {
    /// Returns all keys that begin with `prefix`, in byte order. Only for prefixes with few keys.
    /// - Throws: ``ObjectStoreError``.
    package func keys(below prefix: String) async throws -> [String] {
        var found: [String] = []
        while true {
            let page = try await keys(below: prefix, after: found.last, limit: Limits.objectPage)
            found += page
            guard page.count == Limits.objectPage else { return found }
        }
    }

    /// Checks the store by listing a single key.
    /// - Throws: ``ObjectStoreError``.
    package func check() async throws { _ = try await keys(below: "", after: nil, limit: 1) }
}

/// The reason that an operation of an object store failed.
package enum ObjectStoreError: Error, Equatable, Sendable {
    /// The key breaks the rules of ``ObjectKey``.
    case invalidKey
    /// The object is larger than `Limits.objectBytes`.
    case tooLarge
    /// Too many requests wait for the disk or the bucket.
    case busy
    /// The operating system's error: the step that failed and its `errno`.
    case system(step: String, code: Int32)
    /// No response from the bucket's service in time; with a description.
    case unreachable(String)
    /// The bucket's service refused: the HTTP status and the service's error code.
    case refused(status: Int, code: String)
    /// An invalid response of the bucket's service; names the invalid part.
    case unreadable(String)
    /// The object's checksum is wrong.
    case damaged
}

extension ObjectStoreError: CustomStringConvertible {
    /// A message for the administrator.
    package var description: String {
        switch self {
        case .invalidKey: "an object's key isn't allowed"
        case .tooLarge: "an object is larger than \(Limits.objectBytes) bytes"
        case .busy: "too many requests wait for the object store"
        case .system(let step, let code): "the operating system refused (\(step), error \(code))"
        case .unreachable(let why): "the bucket's service can't be reached (\(why))"
        case .refused(_, "InvalidAccessKeyId"): "the bucket's service doesn't know the access key"
        case .refused(_, "SignatureDoesNotMatch"): "the secret key is wrong: the bucket's service refuses our signature"
        case .refused(_, "RequestTimeTooSkewed"):
            "this computer's clock is wrong: the bucket's service refuses our time"
        case .refused(_, "NoSuchBucket"): "there is no such bucket"
        case .refused(let status, let code) where 300...399 ~= status:
            "the bucket is elsewhere: endpoint or region is wrong (status \(status) \(code))"
        case .refused(let status, let code): "the bucket's service refuses (status \(status) \(code))"
        case .unreadable(let part): "the bucket's service answers what can't be understood (\(part))"
        case .damaged: "an object isn't what was put there: its checksum is wrong"
        }
    }
}

/// The rules for keys: up to 255 bytes of `a-z 0-9 . _ -` in parts divided by `/`; no part is empty or begins with a
/// dot. So a key is a path that can't leave its folder and means the same in every bucket.
package enum ObjectKey {
    /// The rule that a store applies to keys.
    package enum Rule: Sendable {
        /// The rule for keys that this server creates.
        case own
        /// The rule for keys that other systems create: up to ``maximumExternalBytes`` bytes without control
        /// characters; no part is empty, `.` or `..`.
        case external
    }

    /// The maximum length of a key in bytes.
    package static let maximumBytes = 255
    /// The maximum length in bytes of a key that another system created, as in S3.
    package static let maximumExternalBytes = 1_024

    /// Whether `key` follows the rules.
    package static func isValid(_ key: String, _ rule: Rule = .own) -> Bool {
        switch rule {
        case .own: isOwn(key)
        case .external: isExternal(key)
        }
    }

    private static func isOwn(_ key: String) -> Bool {
        guard !key.isEmpty, key.utf8.count <= maximumBytes else { return false }
        return key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.first, first != UInt8(ascii: ".") else { return false }
            return part.allSatisfy(isAllowed)
        }
    }

    private static func isExternal(_ key: String) -> Bool {
        guard !key.isEmpty, key.utf8.count <= maximumExternalBytes else { return false }
        let parts = key.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
            && key.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
