package import Kernel

/// The import of a person's export from another server. An account has at most one.
package struct AccountImport: Sendable, Equatable {
    package let id: ID<AccountImport>
    let person: PersonID
    package let state: ImportState
    package let preview: ImportPreview
    /// Whether the profile of the archive fills empty fields.
    package let includesProfile: Bool
    /// Bytes of the archive.
    let byteCount: Int
    /// Records that are done, including those that were here already.
    package let doneCount: Int
    /// Records that were left out: photos that couldn't be read, and records for which the account has no room.
    package let refusedCount: Int
    /// The reason of a failure, in English.
    package let message: String?
    package let version: Int64
    package let createdAt: Instant
    package let expiresAt: Instant
}

/// The state of an import.
package enum ImportState: String, Sendable, CaseIterable {
    /// The archive is checked, and the person decides.
    case ready
    case running
    case done
    /// A part may be imported. Another import continues.
    case failed
}

/// What an archive contains, as it was compared with the account.
package struct ImportPreview: Sendable, Equatable, Codable {
    /// See ``ImportArchive/format``.
    package let format: Int
    package let exportedAt: Instant?
    /// The name of the account on the other server.
    package let accountName: String
    package let accountEmail: String?
    package let entries: [ImportEntry]
    package let notes: [ImportNote]

    /// The records of all entries.
    package var recordCount: Int { entries.reduce(0) { $0 + $1.recordCount } }
}

/// One record of an archive, or all records of a kind.
package struct ImportEntry: Sendable, Equatable, Codable {
    /// A kind of record in an archive.
    package enum Kind: String, Sendable, CaseIterable, Codable {
        /// All photos.
        case pictures
        /// The profile's fields that are empty here.
        case profile
        /// An item with its positions.
        case item
        case safePlace
        case child
        case chore
        /// A contract of a child with its rewards.
        case contract
        /// When a chore is due.
        case schedule
        /// Days on which nothing is due: of a child, or of all children if the name is empty.
        case pause
        /// A reward in the shop.
        case reward
        /// A child's wish for the shop.
        case wish

        /// Whether it belongs to a household.
        package var isFamily: Bool {
            switch self {
            case .pictures, .profile, .item, .safePlace: false
            case .child, .chore, .contract, .schedule, .pause, .reward, .wish: true
            }
        }
    }

    package let kind: Kind
    package let name: String
    /// The photos, the positions of an item, or the points of a child or a contract.
    package let count: Int
    /// How many of ``count`` are here already. They are skipped.
    package let hereCount: Int
    /// Whether the record is here already.
    package let isHere: Bool
    /// How many of ``count`` the account has no room for. They are left out.
    package let excessCount: Int
    /// Whether the account has no room for the record.
    package let isExcess: Bool

    package init(
        kind: Kind, name: String, count: Int = 0, hereCount: Int = 0, isHere: Bool = false, excessCount: Int = 0,
        isExcess: Bool = false
    ) {
        self.kind = kind
        self.name = name
        self.count = count
        self.hereCount = hereCount
        self.isHere = isHere
        self.excessCount = excessCount
        self.isExcess = isExcess
    }

    /// The records of the entry, for the progress.
    var recordCount: Int {
        switch kind {
        case .pictures: count
        case .item: 1 + count
        case .profile, .safePlace, .child, .chore, .contract, .schedule, .pause, .reward, .wish: 1
        }
    }
}

/// A property of an archive that the person should know before the import.
package enum ImportNote: String, Sendable, CaseIterable, Codable {
    /// Neither the account here nor the archive has a date of birth, which a household requires.
    case dateOfBirthNeeded
    /// The household requires the date of birth in the archive's profile, because the account here has none.
    case profileNeeded
    /// Some photos of children or chores belong to another person, so a built-in picture takes their place.
    case builtInPictures
}

/// The room that an account has for further records of a kind.
package struct ImportRoom: Sendable {
    private var free: Int

    /// - Parameters:
    ///   - limit: the most records of an account.
    ///   - count: the records that it has.
    package init(limit: Int, count: Int) { free = max(0, limit - count) }

    /// Takes room for new records.
    /// - Returns: how many of them have none.
    package mutating func reserve(_ count: Int) -> Int {
        let fitting = min(count, free)
        free -= fitting
        return count - fitting
    }
}
