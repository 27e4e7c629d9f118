package import Kernel
package import Storage
import Synchronization

/// The part of an app in the import of an account's export. ``AccountDataHandler`` exports the same data.
package protocol AccountImportHandler: Sendable {
    /// Checks the files of the app by the rules of its forms, and compares them with the account. Changes nothing.
    /// - Throws: `AppError`; ``ImportArchive/refused`` for data that the forms would refuse.
    func preview(_ archive: ImportArchive, for person: PersonID) async throws -> (
        entries: [ImportEntry], notes: [ImportNote]
    )
    /// Adds each record that isn't here yet, in the order of the preview's entries. It is called again after an
    /// interruption.
    func perform(_ run: ImportRun) async throws
}

/// An import while it runs.
package final class ImportRun: Sendable {
    package let archive: ImportArchive
    package let person: PersonID
    package let preview: ImportPreview
    /// Whether the profile of the archive fills empty fields.
    package let includesProfile: Bool
    let id: ID<AccountImport>
    private let database: Database
    private let clock: any WallClock
    private let done = Mutex(0)
    private let publishedAt = Mutex<Instant?>(nil)

    init(_ stored: AccountImport, archive: ImportArchive, database: Database, clock: any WallClock) {
        self.archive = archive
        person = stored.person
        preview = stored.preview
        includesProfile = stored.includesProfile
        id = stored.id
        self.database = database
        self.clock = clock
    }

    /// Handles the next records in one transaction, with the progress. After an interruption, records are handled
    /// again: `body` must find what is here already.
    /// - Parameter count: at most ``Limits/importBatch`` records, or any number of those that are only refused.
    /// - Throws: ``ImportEndedError`` if the import was deleted, for example with its account.
    package func step<T: Sendable>(
        _ count: Int = 1, _ body: @escaping @Sendable (Transaction, Instant) throws -> T
    ) async throws -> T {
        try Task.checkCancellation()
        let now = clock.now
        let total = done.withLock(\.self) + count
        let publishes =
            publishedAt.withLock(\.self).map { $0.adding(seconds: Limits.importProgressSeconds) <= now } ?? true
        let result = try await database.write { [id, person] tx in
            // The first statement: it keeps a worker that lost its lease from doing the same work.
            guard try ImportStore.setDone(total, of: id, now: now, in: tx) else { throw ImportEndedError() }
            let result = try body(tx, now)
            if publishes { try ImportEvents.publish(person, now: now, in: tx) }
            return result
        }
        done.withLock { $0 = total }
        if publishes { publishedAt.withLock { $0 = now } }
        return result
    }

    /// Counts records that are left out, because they can't be read or the account has no room for them.
    package func refuse(_ count: Int = 1, in tx: Transaction) throws {
        try ImportStore.countRefusals(count, of: id, in: tx)
    }
}

/// Thrown when an import that runs doesn't exist any longer.
struct ImportEndedError: Error {}

enum ImportEvents {
    /// Publishes a change of the person's import.
    static func publish(_ person: PersonID, now: Instant, in tx: Transaction) throws {
        try tx.publish(
            ChangeEvent(audience: person, kind: "import", resource: "/account/import", version: 0, at: now))
    }
}
