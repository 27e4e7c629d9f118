import Crypto
import Foundation
package import Kernel

/// An avatar that is part of the executable. Every child starts with one.
package struct BuiltinAvatar: Sendable, Equatable {
    /// Derived from the name, so it is the same on every server and after every restore.
    package let id: ID<Picture>
    /// The file's name without its extension, in English: `fox`.
    package let name: String
    package let picture: Picture

    fileprivate init?(name: String, file: [UInt8]) {
        guard let header = try? PictureHeader(file, format: .jpeg) else { return nil }
        self.name = name
        let digest = SHA256.hash(data: Array("avatar \(name)".utf8))
        let series = digest.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        id = ID(at: BuiltinAvatars.madeAt, series: series)
        picture = Picture(
            id: id, owner: BuiltinAvatars.owner, width: header.width, height: header.height,
            createdAt: BuiltinAvatars.madeAt
        )
    }
}

/// The built-in avatars. Their files are part of the executable and need neither the object store nor backups. The
/// first use of an avatar inserts its row, so that foreign keys can refer to it.
package enum BuiltinAvatars {
    /// A reserved id of 1970 that belongs to no account.
    package static let owner = PersonID(at: Instant(millisecondsSince1970: 0), series: 1)

    static let madeAt = Instant(millisecondsSince1970: 0)

    private static let folder = "avatars/"
    private static let suffix = ".jpg"

    /// Sorted by name. Never remove a released name, because accounts refer to its id.
    package static let all: [BuiltinAvatar] = Embedded.base64.keys.sorted().compactMap { path in
        guard path.hasPrefix(folder), path.hasSuffix(suffix), let file = file(path) else { return nil }
        return BuiltinAvatar(name: String(path.dropFirst(folder.count).dropLast(suffix.count)), file: file)
    }

    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// Whether the picture is a built-in avatar.
    package static func contains(_ id: ID<Picture>) -> Bool { byID[id] != nil }

    /// Returns the default avatar of a person, always the same one; `nil` if the executable contains none.
    package static func one(for person: PersonID) -> BuiltinAvatar? {
        guard !all.isEmpty else { return nil }
        // The end of an id is random.
        return all[Int(UInt64(bitPattern: person.series) % UInt64(all.count))]
    }

    static func picture(_ id: ID<Picture>) -> Picture? { byID[id]?.picture }

    /// Returns the JPEG file with a longest side of at most 640 pixels; `nil` if the picture isn't built in.
    static func file(of id: ID<Picture>) -> [UInt8]? { byID[id].flatMap { file("\(folder)\($0.name)\(suffix)") } }

    private static func file(_ path: String) -> [UInt8]? {
        Embedded.base64[path]?.withUTF8Buffer { Data(base64Encoded: Data($0)) }.map { Array($0) }
    }
}
