import Crypto
import Foundation
package import Kernel

/// A picture that comes with the program, for people who have none of their own: every child starts with one.
package struct BuiltinAvatar: Sendable, Equatable {
    /// Follows from the name alone, so that it is the same on every server and after every restore.
    package let id: ID<Picture>
    /// What it shows, in English: `fox`. The name of its file.
    package let name: String
    /// The same as a picture.
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

/// All of them. They live in the program: no object store can lose them, and no backup has to hold them. Only the row
/// to which an account or a thing refers is made when one is used for the first time.
package enum BuiltinAvatars {
    /// Whose they are: nobody's. The id was made in 1970.
    package static let owner = PersonID(at: Instant(millisecondsSince1970: 0), series: 1)

    static let madeAt = Instant(millisecondsSince1970: 0)

    private static let folder = "avatars/"
    private static let suffix = ".jpg"

    /// By their names. A name that was shipped stays: accounts refer to its id.
    package static let all: [BuiltinAvatar] = Embedded.base64.keys.sorted().compactMap { path in
        guard path.hasPrefix(folder), path.hasSuffix(suffix), let file = file(path) else { return nil }
        return BuiltinAvatar(name: String(path.dropFirst(folder.count).dropLast(suffix.count)), file: file)
    }

    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// Whether the picture is one of these.
    package static func contains(_ id: ID<Picture>) -> Bool { byID[id] != nil }

    /// One for somebody who has not chosen yet, always the same; `nil` in a program that has none.
    package static func one(for person: PersonID) -> BuiltinAvatar? {
        guard !all.isEmpty else { return nil }
        // The end of an id is random.
        return all[Int(UInt64(bitPattern: person.series) % UInt64(all.count))]
    }

    static func picture(_ id: ID<Picture>) -> Picture? { byID[id]?.picture }

    /// Its JPEG file, 640 pixels or less on the longest side; `nil` for a picture that is none of these.
    static func file(of id: ID<Picture>) -> [UInt8]? { byID[id].flatMap { file("\(folder)\($0.name)\(suffix)") } }

    private static func file(_ path: String) -> [UInt8]? {
        Embedded.base64[path]?.withUTF8Buffer { Data(base64Encoded: Data($0)) }.map { Array($0) }
    }
}
