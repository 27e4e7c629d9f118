import Crypto
import Foundation
package import Kernel

/// A picture that is part of the executable.
package struct BuiltinPicture: Sendable, Equatable {
    /// Derived from the kind and the name, so it is the same on every server and after every restore.
    package let id: ID<Picture>
    /// The file's name without its extension, in English: `fox`.
    package let name: String
    package let picture: Picture
    /// The path of the embedded file.
    let path: String

    fileprivate init?(kind: String, path: String) {
        guard let name = path.split(separator: "/").last?.split(separator: ".").first.map(String.init),
            let file = BuiltinPictures.file(path), let header = try? PictureHeader(file, format: .jpeg)
        else { return nil }
        self.name = name
        self.path = path
        let digest = SHA256.hash(data: Array("\(kind) \(name)".utf8))
        let series = digest.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        id = ID(at: BuiltinPictures.madeAt, series: series)
        picture = Picture(
            id: id, owner: BuiltinPictures.owner, width: header.width, height: header.height,
            createdAt: BuiltinPictures.madeAt
        )
    }
}

/// All built-in pictures. Their files are part of the executable and need neither the object store nor backups. The
/// first use of one inserts its row, so that foreign keys can refer to it. Never remove a released name, because
/// accounts and chores refer to its id.
package enum BuiltinPictures {
    /// A reserved id of 1970 that belongs to no account.
    package static let owner = PersonID(at: Instant(millisecondsSince1970: 0), series: 1)

    static let madeAt = Instant(millisecondsSince1970: 0)

    private static let byID = Dictionary(
        uniqueKeysWithValues: (BuiltinAvatars.all + BuiltinChorePictures.all + BuiltinRewardPictures.all).map {
            ($0.id, $0)
        })

    /// Whether the picture is built in.
    package static func contains(_ id: ID<Picture>) -> Bool { byID[id] != nil }

    static func picture(_ id: ID<Picture>) -> Picture? { byID[id]?.picture }

    /// Returns the JPEG file with a longest side of at most 640 pixels; `nil` if the picture isn't built in.
    static func file(of id: ID<Picture>) -> [UInt8]? { byID[id].flatMap { file($0.path) } }

    fileprivate static func file(_ path: String) -> [UInt8]? {
        Embedded.base64[path]?.withUTF8Buffer { Data(base64Encoded: Data($0)) }.map { Array($0) }
    }

    /// Returns the pictures of a folder, sorted by name.
    fileprivate static func pictures(in folder: String, kind: String) -> [BuiltinPicture] {
        Embedded.base64.keys.sorted().compactMap { path in
            guard path.hasPrefix("\(folder)/"), path.hasSuffix(".jpg") else { return nil }
            return BuiltinPicture(kind: kind, path: path)
        }
    }
}

/// The built-in avatars. Every child starts with one.
package enum BuiltinAvatars {
    /// Sorted by name.
    package static let all = BuiltinPictures.pictures(in: "avatars", kind: "avatar")

    /// Returns the default avatar of a person, always the same one; `nil` if the executable contains none.
    package static func one(for person: PersonID) -> BuiltinPicture? {
        guard !all.isEmpty else { return nil }
        // The end of an id is random.
        return all[Int(UInt64(bitPattern: person.series) % UInt64(all.count))]
    }
}

/// The built-in pictures of chores.
package enum BuiltinChorePictures {
    /// Sorted by name.
    package static let all = BuiltinPictures.pictures(in: "chores", kind: "chore")

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Returns the picture with this name; `nil` if there is none.
    package static func named(_ name: String) -> BuiltinPicture? { byName[name] }
}

/// The built-in pictures of rewards.
package enum BuiltinRewardPictures {
    /// Sorted by name.
    package static let all = BuiltinPictures.pictures(in: "rewards", kind: "reward")

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Returns the picture with this name; `nil` if there is none.
    package static func named(_ name: String) -> BuiltinPicture? { byName[name] }
}
