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
    /// A page of the keys that begin with `prefix`, in the order of their bytes.
    /// - Parameters:
    ///   - after: the last key of the page before; `nil` for the first page.
    ///   - limit: keys at the most, 1 to `Limits.objectPage`. Fewer than that: there are no more.
    /// - Throws: ``ObjectStoreError``.
    func keys(below prefix: String, after: String?, limit: Int) async throws -> [String]
    /// Forgets what writes left behind that were interrupted before `instant`.
    /// - Throws: ``ObjectStoreError``.
    func discardInterrupted(before instant: Instant) async throws
    /// Makes sure that the store can be reached.
    /// - Throws: ``ObjectStoreError``, whose description says to people what is wrong.
    func check() async throws
}

extension ObjectStore {
    /// All keys that begin with `prefix`, in order: for a part of which it is known that it isn't large.
    /// - Throws: ``ObjectStoreError``.
    package func keys(below prefix: String) async throws -> [String] {
        var found: [String] = []
        while true {
            let page = try await keys(below: prefix, after: found.last, limit: Limits.objectPage)
            found += page
            guard page.count == Limits.objectPage else { return found }
        }
    }

    /// Lists a single key.
    /// - Throws: ``ObjectStoreError``.
    package func check() async throws { _ = try await keys(below: "", after: nil, limit: 1) }
}

/// Why an object store could not do what it was asked.
package enum ObjectStoreError: Error, Equatable, Sendable {
    /// The key breaks the rules of ``ObjectKey``.
    case invalidKey
    /// The object is larger than `Limits.objectBytes`.
    case tooLarge
    /// Too many requests wait for the disk, or the bucket.
    case busy
    /// The operating system refused; its error number (`errno`) and the step that failed.
    case system(step: String, code: Int32)
    /// No answer of the bucket in time; says why.
    case unreachable(String)
    /// The bucket's answer: an HTTP status, and the service's own word for the error.
    case refused(status: Int, code: String)
    /// The bucket's answer makes no sense; says which part.
    case unreadable(String)
    /// What came isn't what was put there.
    case damaged
}

extension ObjectStoreError: CustomStringConvertible {
    /// For whoever runs the server.
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
    /// Whose keys a store takes.
    package enum Rule: Sendable {
        /// Keys that we made.
        case own
        /// Keys that others made: up to ``maximumForeignBytes`` bytes without control characters; no part is empty,
        /// `.` or `..`.
        case foreign
    }

    /// Bytes of a key at the most.
    package static let maximumBytes = 255
    /// Bytes of a key that others made, as S3 limits them.
    package static let maximumForeignBytes = 1_024

    /// Whether `key` follows the rules.
    package static func isValid(_ key: String, _ rule: Rule = .own) -> Bool {
        switch rule {
        case .own: isOwn(key)
        case .foreign: isForeign(key)
        }
    }

    private static func isOwn(_ key: String) -> Bool {
        guard !key.isEmpty, key.utf8.count <= maximumBytes else { return false }
        return key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.first, first != UInt8(ascii: ".") else { return false }
            return part.allSatisfy(isAllowed)
        }
    }

    private static func isForeign(_ key: String) -> Bool {
        guard !key.isEmpty, key.utf8.count <= maximumForeignBytes else { return false }
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
