package import Kernel
import Pictures
import Storage

/// Fills empty fields of the profile from an archive: phone number, date of birth and photo.
struct ProfileImport: AccountImportHandler {
    let database: Database
    let profiles: ProfileService
    let clock: any WallClock

    func preview(_ archive: ImportArchive, for person: PersonID) async throws -> (
        entries: [ImportEntry], notes: [ImportNote]
    ) {
        let now = clock.now
        let found = try await database.read { tx in
            try AccountStore.account(person, in: tx).map { try Self.changes(of: $0, archive, now: now) }
        }
        guard let found, found.isAny else { return ([], []) }
        return ([ImportEntry(kind: .profile, name: archive.accountName ?? "")], [])
    }

    func perform(_ run: ImportRun) async throws {
        guard run.preview.entries.contains(where: { $0.kind == .profile }) else { return }
        let archive = run.archive
        try await run.step { [profiles, person = run.person, isWanted = run.includesProfile] tx, now in
            guard isWanted, let account = try AccountStore.account(person, in: tx) else { return }
            let found = try Self.changes(of: account, archive, now: now)
            var changes = ProfileChanges()
            if let phone = found.phone { changes.phone = .set(phone) }
            if let date = found.dateOfBirth { changes.dateOfBirth = .set(date) }
            if let source = found.picture, let copy = try ImportedPictures.copy(of: source, by: person, in: tx) {
                changes.avatarPictureID = .set(copy)
            }
            try profiles.fill(changes, of: person, now: now, in: tx)
        }
    }

    private struct Found {
        var phone: String?
        var dateOfBirth: String?
        var picture: ID<Picture>?

        var isAny: Bool { phone != nil || dateOfBirth != nil || picture != nil }
    }

    private static func changes(of account: Account, _ archive: ImportArchive, now: Instant) throws -> Found {
        var problems = FieldErrors<AccountMessage>()
        let phone = problems.phone(archive.account.text("phone"), isRequired: false)
        let date = problems.dateOfBirth(archive.account.text("dateOfBirth"), isRequired: false, now: now)
        guard problems.fields.isEmpty else { throw ImportArchive.refused }
        let picture = try archive.account.id("avatarPictureId", of: Picture.self)
        return Found(
            phone: account.phone == nil ? phone : nil, dateOfBirth: account.dateOfBirth == nil ? date : nil,
            picture: account.avatarPictureID == nil ? picture : nil)
    }
}

extension ImportArchive {
    /// Whether the profile has a valid date of birth.
    package func hasDateOfBirth(now: Instant) -> Bool {
        account.text("dateOfBirth").map { BirthDate($0, now: now) != nil } ?? false
    }
}
