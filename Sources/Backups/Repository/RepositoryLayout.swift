import Crypto
package import Kernel
import Objects

/// The name of a backup in a repository: its time in seconds, and eight hexadecimal digits. The first three are the
/// milliseconds, so that names order by time also within a second; the others are random.
package struct BackupName: Sendable, Hashable, Comparable, CustomStringConvertible {
    private static let timeLength = 20
    private static let suffixLength = 8
    private static let randomLength = 5

    /// For example `2026-11-26t12-00-00z-1f4b3c4d`.
    package let description: String
    package let startedAt: Instant

    /// Creates a name.
    package init(at now: Instant, random: any RandomSource) {
        let seconds = now.rfc3339.prefix(Self.timeLength - 1).lowercased()
        let time = seconds.map { $0 == ":" ? "-" : String($0) }.joined() + "z"
        let milliseconds = now.millisecondsSince1970 % 1000
        let digits = Hexadecimal.encoded([UInt8(milliseconds >> 8), UInt8(milliseconds & 0xff)]).suffix(3)
        let random = Hexadecimal.encoded(random.bytes((Self.randomLength + 1) / 2)).prefix(Self.randomLength)
        description = "\(time)-\(digits)\(random)"
        startedAt = now
    }

    /// Reads a name; `nil` for another text.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.count == Self.timeLength + 1 + Self.suffixLength, parts.count == 6, ObjectKey.isValid(text),
            Hexadecimal.decoded(parts[5]) != nil, parts[4].last == "z",
            let time = Instant(rfc3339: "\(parts[0])-\(parts[1])-\(parts[2]):\(parts[3]):\(parts[4])".uppercased())
        else { return nil }
        description = text
        startedAt = time
    }

    /// Orders by time. Older names have random digits in place of the milliseconds; those order by the second.
    package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

/// The keys of a repository's objects.
enum RepositoryLayout {
    static let backups = "backups/"
    static let objects = "objects/"
    private static let completion = "complete"

    /// The mark of a backup that has begun.
    static func start(of name: BackupName) -> String { "\(backups)\(name)/started" }

    /// The object that makes a backup complete.
    static func completion(of name: BackupName) -> String { "\(backups)\(name)/\(completion)" }

    static func part(_ number: Int, of stream: RepositoryStream, in name: BackupName) -> String {
        "\(backups)\(name)/\(stream.rawValue)-\(number)"
    }

    /// The key of an object's content. The name is made with the backup key, so that it doesn't reveal which content
    /// the repository has.
    static func object(_ digest: [UInt8], _ key: BackupKey) -> String {
        let name = Hexadecimal.encoded(
            HMAC<SHA256>.authenticationCode(for: digest, using: SymmetricKey(data: key.names)))
        return "\(objects)\(name.prefix(2))/\(name)"
    }

    /// Returns the name of the backup that a key belongs to, and whether the key completes it.
    static func backup(of key: String) -> (name: BackupName, isCompletion: Bool)? {
        let parts = key.split(separator: "/")
        guard parts.count == 3, key.hasPrefix(backups), let name = BackupName(String(parts[1])) else { return nil }
        return (name, parts[2] == completion)
    }
}

/// One of the two encrypted streams of a backup in a repository.
enum RepositoryStream: String, Sendable {
    /// Settings, keys and database.
    case data
    /// The list of objects and the manifest: all that is needed to find out which objects a backup refers to.
    case list
}
