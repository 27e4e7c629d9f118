import Crypto
import Foundation
import Kernel
import Objects

/// What a backup contains, to compare with what is read back.
package struct BackupManifest: Codable, Sendable, Hashable {
    /// When the backup began, as RFC 3339.
    package var createdAt: String
    /// `sqlite` or `postgres`.
    package var engine: String
    /// The migrations of the database, for example `jobs/0001-jobs`.
    package var migrations: [String]
    /// The number of rows by table.
    package var rows: [String: Int]
    package var databaseBytes: Int64
    /// SHA-256 in hexadecimal.
    package var databaseDigest: String
    package var objectCount: Int
    package var objectBytes: Int64
    /// SHA-256 of the list of objects, in hexadecimal.
    package var objectListDigest: String
    /// Whether the objects' contents are in a repository and not in the backup itself.
    package var hasSeparateObjects = false

    package var rowCount: Int { rows.values.reduce(0, +) }
}

/// An object in a backup.
package struct BackupObject: Sendable, Hashable {
    package let key: String
    package let byteCount: Int
    /// SHA-256 of the object's bytes.
    package let digest: [UInt8]

    /// Describes an object.
    package init(key: String, bytes: [UInt8]) {
        self.key = key
        byteCount = bytes.count
        digest = Array(SHA256.hash(data: bytes))
    }

    private init(key: String, byteCount: Int, digest: [UInt8]) {
        self.key = key
        self.byteCount = byteCount
        self.digest = digest
    }

    /// Returns a list as text, one object a line.
    static func list(_ objects: [BackupObject]) -> [UInt8] {
        var text: [UInt8] = []
        for object in objects {
            text += Array("\(Hexadecimal.encoded(object.digest)) \(object.byteCount) \(object.key)\n".utf8)
        }
        return text
    }

    /// Reads what ``list(_:)`` wrote.
    static func read(_ list: [UInt8]) throws -> [BackupObject] {
        try list.split(separator: UInt8(ascii: "\n")).map { line in
            let isReadable = StreamSafeText.isValid(line)
            let parts = isReadable ? String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 2) : []
            guard parts.count == 3, let digest = Hexadecimal.decoded(parts[0], count: SHA256.byteCount),
                let count = Int(parts[1]), count >= 0, count <= Limits.objectBytes, ObjectKey.isValid(String(parts[2]))
            else { throw BackupError.contradiction("its list of objects can't be read") }
            return BackupObject(key: String(parts[2]), byteCount: count, digest: digest)
        }
    }
}

/// The progress of a backup or a restore.
package struct BackupProgress: Sendable, Hashable {
    /// What is being done.
    package enum Phase: String, Sendable {
        case copyingDatabase = "Copying the database"
        case writingDatabase = "Writing the database"
        case writingObjects = "Writing pictures and archived positions"
        case reading = "Reading the backup"
        case checking = "Checking the database"
        case restoringObjects = "Restoring pictures and archived positions"
        case restoringDatabase = "Restoring the database"
    }

    package let phase: Phase
    /// What is done, in ``unit``.
    package var done: Int64 = 0
    /// All there is to do, if it is known.
    package var total: Int64?
    /// What is counted: `bytes` or `objects`.
    package var unit = "bytes"

    package init(_ phase: Phase, done: Int64 = 0, of total: Int64? = nil, unit: String = "bytes") {
        self.phase = phase
        self.done = done
        self.total = total
        self.unit = unit
    }
}

/// Receives the progress.
package typealias BackupProgressHandler = @Sendable (BackupProgress) -> Void
