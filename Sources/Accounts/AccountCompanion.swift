package import Kernel
package import Pictures
package import Storage

/// What an app keeps of a person. It must go when the account goes, and be handed out when the person asks for it.
package protocol AccountCompanion: Sendable {
    /// Everything small that is kept of the person, as files of the export.
    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])]
    /// What is too large to be read all at once; loaded one after another while the export is being sent.
    func attachments(of person: PersonID) async throws -> [ExportAttachment]
    /// Refuses while something of the person must come to its end first. Asked before the person is asked to confirm, and
    /// for the app itself to ask again in ``erase(_:in:)``.
    func permitErasure(of person: PersonID, in tx: Transaction) throws
    /// The effects of the account's deletion on others, in English, for the confirmation page; `nil` for none.
    func erasureNote(of person: PersonID, in tx: Transaction) throws -> String?
    /// Removes everything of the person, in the transaction that removes the account.
    func erase(_ person: PersonID, in tx: Transaction) throws
    /// Refuses what the app can't do without, in the transaction that changes the profile, before it is changed.
    func permitChange(from before: Account, to after: Account, in tx: Transaction) throws
    /// Voids the person's invitations and codes that must end with their password, in the transaction that changes it.
    /// - Parameter endsChildSessions: whether the devices of the person's children are signed out too.
    func passwordChanged(of person: PersonID, endsChildSessions: Bool, now: Instant, in tx: Transaction) throws
    /// Whether a device is signed in as a child of the person.
    func hasChildSessions(of person: PersonID, in tx: Transaction) throws -> Bool
    /// Hears of a changed profile, in the transaction that changes it.
    /// - Parameter account: as it is from then on.
    func profileChanged(_ account: Account, now: Instant, in tx: Transaction) throws
    /// Handles a confirmed email address, in the transaction that confirms it.
    /// - Parameter account: the account after the confirmation.
    func emailConfirmed(_ account: Account, now: Instant, in tx: Transaction) throws
    /// Whether the code belongs to a valid invitation of the app.
    func invites(_ code: String, now: Instant, in tx: Transaction) throws -> Bool
    /// Tidies up outside the store, after that transaction was committed.
    func afterErasure() async throws
    /// The app, if the person uses it: has items, a household or a wallet there.
    func usedApp(by person: PersonID, in tx: Transaction) throws -> AppName?
}

extension AccountCompanion {
    /// Nothing large.
    package func attachments(of person: PersonID) async throws -> [ExportAttachment] { [] }
    /// Nothing stands in the way.
    package func permitErasure(of person: PersonID, in tx: Transaction) throws {}
    /// Nothing to say.
    package func erasureNote(of person: PersonID, in tx: Transaction) throws -> String? { nil }
    /// Nothing to end.
    package func passwordChanged(
        of person: PersonID, endsChildSessions: Bool, now: Instant, in tx: Transaction
    ) throws {}
    /// No children.
    package func hasChildSessions(of person: PersonID, in tx: Transaction) throws -> Bool { false }
    /// Nothing to refuse.
    package func permitChange(from before: Account, to after: Account, in tx: Transaction) throws {}
    /// Nothing to tell.
    package func profileChanged(_ account: Account, now: Instant, in tx: Transaction) throws {}
    /// Nothing depends on it.
    package func emailConfirmed(_ account: Account, now: Instant, in tx: Transaction) throws {}
    /// The app has no invitations.
    package func invites(_ code: String, now: Instant, in tx: Transaction) throws -> Bool { false }
    /// No app.
    package func usedApp(by person: PersonID, in tx: Transaction) throws -> AppName? { nil }
    /// Nothing to tidy up.
    package func afterErasure() async throws {}
}

/// One large file of an export.
package struct ExportAttachment: Sendable {
    /// What a file is read in.
    package typealias Pieces = any AsyncSequence<[UInt8], any Error> & Sendable

    /// Where it stands in the zip.
    package let path: String
    /// Begins to read it when it is its turn; `nil` when it is gone meanwhile.
    package let open: @Sendable () async throws -> Pieces?
    let isCompressed: Bool
    /// It is not known to fit into memory.
    let mayBeLarge: Bool

    /// A file that fits into memory.
    /// - Parameters:
    ///   - isCompressed: there is nothing to be gained by compressing it.
    ///   - load: reads it when it is its turn; `nil` when it is gone meanwhile.
    package init(path: String, isCompressed: Bool = false, load: @escaping @Sendable () async throws -> [UInt8]?) {
        self.path = path
        self.isCompressed = isCompressed
        mayBeLarge = false
        open = {
            guard let contents = try await load() else { return nil }
            return AsyncThrowingStream<[UInt8], any Error> { stream in
                stream.yield(contents)
                stream.finish()
            }
        }
    }

    /// A file of any size, of which only a piece is in memory at a time.
    /// - Parameter pieces: begins to read it when it is its turn; `nil` when it is gone meanwhile.
    package init(path: String, pieces: @escaping @Sendable () async throws -> Pieces?) {
        self.path = path
        isCompressed = false
        mayBeLarge = true
        open = pieces
    }
}

/// The person's library of photos.
package struct PicturesCompanion: AccountCompanion {
    private let library: PictureLibrary

    /// Makes the companion. It must come after those of apps whose things use pictures.
    package init(library: PictureLibrary) { self.library = library }

    /// Nothing small.
    package func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] { [] }

    /// Each photo in its largest size.
    package func attachments(of person: PersonID) async throws -> [ExportAttachment] {
        var attachments: [ExportAttachment] = []
        var after: ID<Picture>?
        while true {
            let page = try await library.pictures(of: person, after: after, limit: Limits.pageSizeMaximum)
            for picture in page {
                attachments.append(
                    ExportAttachment(path: "pictures/\(picture.id).jpg", isCompressed: true) { [library] in
                        do {
                            return try await library.data(picture.id, size: .large, for: person).bytes
                        } catch let error as AppError where error.code == .notFound {
                            return nil
                        }
                    })
            }
            guard let last = page.last, page.count == Limits.pageSizeMaximum else { return attachments }
            after = last.id
        }
    }

    /// Removes the rows of all photos, but for those that others have as avatars: these become theirs.
    package func erase(_ person: PersonID, in tx: Transaction) throws {
        try AccountStore.handOverAvatars(of: person, in: tx)
        try PictureLibrary.removeAll(of: person, in: tx)
    }

    /// Removes their files.
    package func afterErasure() async throws { try await library.sweep() }
}
