package import Kernel
package import Pictures
package import Storage

/// Imports the photos of an archive. They are checked and encoded again like any upload.
struct PicturesImport: AccountImportHandler {
    static let kind = "picture"
    private static let folder = "pictures"

    let library: PictureLibrary
    let database: Database

    func preview(_ archive: ImportArchive, for person: PersonID) async throws -> (
        entries: [ImportEntry], notes: [ImportNote]
    ) {
        let pictures = Self.pictures(of: archive)
        guard !pictures.isEmpty else { return ([], []) }
        guard pictures.allSatisfy({ archive.size($0.path) <= Limits.pictureBytes }) else {
            throw AppError(.tooLarge, .importTooLarge, field: "archive")
        }
        let (hereCount, storedCount, limit) = try await database.read { tx in
            (
                try pictures.count { try ImportedPictures.copy(of: $0.id, by: person, in: tx) != nil },
                try PictureLibrary.usage(of: person, in: tx).count, try library.quota(of: person, in: tx)
            )
        }
        var room = ImportRoom(limit: limit, count: storedCount)
        let entry = ImportEntry(
            kind: .pictures, name: "", count: pictures.count, hereCount: hereCount,
            isHere: hereCount == pictures.count, excessCount: room.reserve(pictures.count - hereCount))
        return ([entry], [])
    }

    func perform(_ run: ImportRun) async throws {
        for picture in Self.pictures(of: run.archive) {
            let isHere = try await database.read { [person = run.person] tx in
                try ImportedPictures.copy(of: picture.id, by: person, in: tx) != nil
            }
            let added = isHere ? nil : try await add(picture, run)
            try await run.step { [person = run.person] tx, _ in
                if isHere { return }
                guard let added else { return try run.refuse(in: tx) }
                try ImportRecords.insert(added, of: picture.id, kind: Self.kind, by: person, in: tx)
            }
        }
    }

    /// - Returns: `nil` for a file that isn't a photo, and for a full library.
    private func add(_ picture: (id: ID<Picture>, path: String), _ run: ImportRun) async throws -> ID<Picture>? {
        guard let bytes = try await run.archive.bytes(picture.path, limit: Limits.pictureBytes) else { return nil }
        // After an interruption, the photo is found by its key. One that was imported before and deleted since has the
        // key of this import.
        for key in ["\(picture.id)", "\(picture.id) \(run.id)"] {
            let scope = IdempotencyScope(
                person: run.person, method: "POST", path: "/account/import", key: key, bodyDigest: [])
            do {
                return try await library.add(bytes, owner: run.person, idempotency: scope).id
            } catch let error as AppError where error.code == .notFound {
                continue
            } catch let error as AppError where [.invalid, .tooLarge, .conflict].contains(error.code) {
                return nil
            }
        }
        return nil
    }

    private static func pictures(of archive: ImportArchive) -> [(id: ID<Picture>, path: String)] {
        archive.names(in: folder).compactMap { name in
            guard name.hasSuffix(".jpg"), let id = ID<Picture>(name.dropLast(4)), !BuiltinPictures.contains(id) else {
                return nil
            }
            return (id, "\(folder)/\(name)")
        }
    }
}

/// The photos of an import, for the records that refer to them.
package enum ImportedPictures {
    /// Returns the person's own photo for one of an archive: its copy, the same photo, or a built-in picture.
    package static func copy(
        of source: ID<Picture>, by person: PersonID, in tx: Transaction
    ) throws -> ID<Picture>? {
        if BuiltinPictures.contains(source) {
            try PictureLibrary.requireOwned(source, by: person, in: tx)
            return source
        }
        let copy = try ImportRecords.copy(of: source, kind: PicturesImport.kind, by: person, in: tx)
        for id in [copy, source].compactMap(\.self) where try PictureLibrary.owns(id, person, in: tx) { return id }
        return nil
    }
}
