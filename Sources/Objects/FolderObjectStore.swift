import Foundation
package import Kernel

/// Stores objects as files in a folder.
///
/// A write creates a temporary file, calls fsync, renames it and calls fsync on the folder: after a crash an object
/// exists completely or not at all. Several processes may share the folder. A few threads of the store do all file
/// operations, never the threads that serve requests.
package final class FolderObjectStore: ObjectStore {
    private let folder: String
    private let random: any RandomSource
    private let rule: ObjectKey.Rule
    private let threads: FileThreads
    // No key can have this name, so a listing never includes half-written files.
    private static let incoming = ".incoming"

    /// Opens the store.
    /// - Parameters:
    ///   - keys: The rule for keys.
    ///   - creates: Whether a missing folder is created, readable by the server's user only.
    /// - Throws: ``ObjectStoreError/system(step:code:)`` when the folder can't be created.
    package init(
        folder: String, keys rule: ObjectKey.Rule = .own, creates: Bool = true,
        random: any RandomSource = SystemRandom()
    ) throws(ObjectStoreError) {
        self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        self.random = random
        self.rule = rule
        threads = FileThreads(count: Limits.objectThreads, queue: Limits.objectQueue)
        if creates { try Files.makeFolder(self.folder + "/" + Self.incoming) }
    }

    /// Checks that the folder exists, and that files in it can be read and written.
    package func check() async throws {
        let folder = folder
        try await threads.run {
            guard access(folder, R_OK | W_OK | X_OK) == 0 else {
                throw ObjectStoreError.system(step: "open \(folder)", code: errno)
            }
        }
    }

    /// Writes a file durably.
    package func put(_ bytes: [UInt8], at key: String) async throws {
        guard ObjectKey.isValid(key, rule) else { throw ObjectStoreError.invalidKey }
        guard bytes.count <= Limits.objectBytes else { throw ObjectStoreError.tooLarge }
        let path = folder + "/" + key
        let temporary = folder + "/" + Self.incoming + "/" + String(random.uint64(), radix: 16)
        try await threads.run {
            try Files.makeFolder(DurableFile.folder(of: path))
            do throws(DurableFile.Failure) {
                try DurableFile(path).replace(bytes, draft: temporary)
            } catch {
                throw ObjectStoreError(error)
            }
        }
    }

    /// Reads a file.
    package func get(_ key: String) async throws -> [UInt8]? {
        guard ObjectKey.isValid(key, rule) else { throw ObjectStoreError.invalidKey }
        let path = folder + "/" + key
        return try await threads.run {
            let bytes: [UInt8]?
            do throws(DurableFile.Failure) {
                bytes = try DurableFile(path).read(limit: Limits.objectBytes + 1)
            } catch {
                throw ObjectStoreError(error)
            }
            if let bytes, bytes.count > Limits.objectBytes { throw ObjectStoreError.tooLarge }
            return bytes
        }
    }

    /// Removes a file durably.
    package func delete(_ key: String) async throws {
        guard ObjectKey.isValid(key, rule) else { throw ObjectStoreError.invalidKey }
        let path = folder + "/" + key
        try await threads.run {
            guard try Files.remove(path) else { return }
            try Files.synchronizeFolder(DurableFile.folder(of: path))
        }
    }

    /// Lists the files whose path below the folder begins with `prefix`.
    package func keys(below prefix: String, after: String?, limit: Int) async throws -> [String] {
        let wholeParts = prefix.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        guard wholeParts.isEmpty || ObjectKey.isValid(wholeParts, rule) else { throw ObjectStoreError.invalidKey }
        let limit = min(max(limit, 1), Limits.objectPage)
        let (folder, rule) = (folder, rule)
        return try await threads.run {
            var walk = FolderListing(root: folder, prefix: prefix, after: after, limit: limit) {
                ObjectKey.isValid($0, rule)
            }
            return try walk.keys(in: wholeParts)
        }
    }

    /// Removes temporary files that were last written before `instant`.
    package func discardInterrupted(before instant: Instant) async throws {
        let incoming = folder + "/" + Self.incoming
        try await threads.run {
            for name in try Files.list(incoming, below: "") {
                let path = incoming + "/" + name
                guard let changed = try Files.modified(path), changed < instant else { continue }
                try Files.remove(path)
            }
        }
    }
}

/// A few threads for blocking disk calls, with a bounded queue.
private final class FileThreads: Sendable {
    private let queue: OperationQueue
    private let maximumQueued: Int

    init(count: Int, queue maximumQueued: Int) {
        queue = OperationQueue()
        queue.name = "homeward.objects"
        queue.maxConcurrentOperationCount = count
        self.maximumQueued = maximumQueued
    }

    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        guard queue.operationCount < maximumQueued else { throw ObjectStoreError.busy }
        return try await withCheckedThrowingContinuation { continuation in
            queue.addOperation { continuation.resume(with: Result(catching: work)) }
        }
    }
}
