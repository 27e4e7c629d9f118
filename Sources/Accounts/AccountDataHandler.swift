package import Kernel
package import Pictures
package import Storage

/// The data that an app stores about a person. It is deleted with the account and is part of the person's export.
///
/// Functions that protect people or their data have no default, so that each app must implement them. Others do nothing
/// by default.
package protocol AccountDataHandler: Sendable {
    /// Returns the small data of the person as files of the export.
    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])]
    /// Returns the files that are too large to load at once. They are loaded one after another while the export is
    /// sent.
    func attachments(of person: PersonID) async throws -> [ExportAttachment]
    /// Throws while the person has open business in the app, for example a package in delivery. It is called before the
    /// confirmation page is shown. The app must check again in ``erase(_:in:)``.
    func checkErasure(of person: PersonID, in tx: Transaction) throws
    /// Returns the effects of the account's deletion on others, in English, for the confirmation page. `nil` for none.
    func erasureNote(of person: PersonID, in tx: Transaction) throws -> String?
    /// Deletes all data of the person, in the transaction that deletes the account.
    func erase(_ person: PersonID, in tx: Transaction) throws
    /// Throws when the change removes something that the app requires. It is called in the transaction that changes the
    /// profile, before the change is stored.
    func checkChange(from before: Account, to after: Account, in tx: Transaction) throws
    /// Revokes what the person's sessions may have prepared and what works without them: invitations, links, codes and
    /// open requests. It is called in the transaction that signs the person out everywhere (``AccessEnder``), which
    /// holds the lock on the account's row.
    /// - Parameter endsChildSessions: whether the devices of the person's children are signed out too.
    func revokeGrants(of person: PersonID, endsChildSessions: Bool, now: Instant, in tx: Transaction) throws
    /// Returns whether a device is signed in as a child of the person.
    func hasChildSessions(of person: PersonID, in tx: Transaction) throws -> Bool
    /// Handles a changed profile, in the transaction that changes it.
    /// - Parameter account: the account after the change.
    func profileChanged(_ account: Account, now: Instant, in tx: Transaction) throws
    /// Handles a confirmed email address, in the transaction that confirms it.
    /// - Parameter account: the account after the confirmation.
    func emailConfirmed(_ account: Account, now: Instant, in tx: Transaction) throws
    /// Returns whether the code belongs to a valid invitation of the app.
    func invites(_ code: String, now: Instant, in tx: Transaction) throws -> Bool
    /// Cleans up outside the database, after the transaction of ``erase(_:in:)`` was committed.
    func afterErasure() async throws
    /// Returns the app if the person has items, a household or a wallet in it.
    func usedApp(by person: PersonID, in tx: Transaction) throws -> AppName?
}

extension AccountDataHandler {
    /// Returns no note.
    package func erasureNote(of person: PersonID, in tx: Transaction) throws -> String? { nil }
    /// Returns false.
    package func hasChildSessions(of person: PersonID, in tx: Transaction) throws -> Bool { false }
    /// Permits the change.
    package func checkChange(from before: Account, to after: Account, in tx: Transaction) throws {}
    /// Does nothing.
    package func profileChanged(_ account: Account, now: Instant, in tx: Transaction) throws {}
    /// Does nothing.
    package func emailConfirmed(_ account: Account, now: Instant, in tx: Transaction) throws {}
    /// Returns false: the app has no invitations.
    package func invites(_ code: String, now: Instant, in tx: Transaction) throws -> Bool { false }
    /// Returns `nil`.
    package func usedApp(by person: PersonID, in tx: Transaction) throws -> AppName? { nil }
}

/// One large file of an export.
package struct ExportAttachment: Sendable {
    /// The pieces in which a file is read.
    package typealias Pieces = any AsyncSequence<[UInt8], any Error> & Sendable

    /// The file's path in the zip.
    package let path: String
    /// Opens the file once the export reaches it. `nil` if it was deleted since.
    package let open: @Sendable () async throws -> Pieces?
    let isCompressed: Bool
    /// Whether the file may be too large for memory.
    let mayBeLarge: Bool

    /// Creates an attachment that fits into memory.
    /// - Parameters:
    ///   - isCompressed: whether the contents are already compressed, so that they are stored as they are.
    ///   - load: reads the file once the export reaches it. Returns `nil` if it was deleted since.
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

    /// Creates an attachment of any size. Only one piece is in memory at a time.
    /// - Parameter pieces: opens the file once the export reaches it. Returns `nil` if it was deleted since.
    package init(path: String, pieces: @escaping @Sendable () async throws -> Pieces?) {
        self.path = path
        isCompressed = false
        mayBeLarge = true
        open = pieces
    }
}

/// Exports and deletes the person's library of photos.
package struct PicturesDataHandler: AccountDataHandler {
    private let library: PictureLibrary

    /// Creates the handler. It must come after the handlers of apps whose records refer to pictures.
    package init(library: PictureLibrary) { self.library = library }

    /// Returns no small files.
    package func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] { [] }

    /// Returns each photo in its largest size.
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

    /// Permits the deletion.
    package func checkErasure(of person: PersonID, in tx: Transaction) throws {}

    /// Revokes nothing: photos have no links.
    package func revokeGrants(
        of person: PersonID, endsChildSessions: Bool, now: Instant, in tx: Transaction
    ) throws {}

    /// Deletes the rows of all photos. Photos that other accounts use as avatars become theirs instead.
    package func erase(_ person: PersonID, in tx: Transaction) throws {
        try AccountStore.transferAvatars(of: person, in: tx)
        try PictureLibrary.removeAll(of: person, in: tx)
    }

    /// Deletes the files of the removed photos.
    package func afterErasure() async throws { try await library.sweep() }
}
