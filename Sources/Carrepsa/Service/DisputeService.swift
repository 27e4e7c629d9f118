package import Accounts
package import Kernel
package import Storage

/// Disputes: opened and discussed by owner and carrier, decided by an administrator.
package struct DisputeService: Sendable {
    let deadlines: PackageDeadlines
    let details: PackageDetailsReader
    let commands: PackageCommandExecutor

    /// Opens a dispute, which an administrator decides.
    /// - Parameter reason: 1 to ``Limits/descriptionCharacters`` characters.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`; `invalid` at `reason`.
    package func open(_ id: ID<Package>, reason: String?, by change: Change) async throws -> PackageDetails {
        let note = try required(reason, field: "reason", .reasonMissing)
        return try await commands.execute(.dispute, on: id, status: 201, by: change, note: note)
    }

    /// Adds a statement to a dispute, as owner or carrier. Statements can't be changed.
    /// - Parameter text: 1 to ``Limits/descriptionCharacters`` characters.
    /// - Throws: `AppError`: `notFound`, `forbidden`; `conflict` if it isn't in dispute or after
    ///   ``Limits/disputeStatements`` statements; `invalid` at `statement`.
    package func addStatement(_ id: ID<Package>, text: String?, by change: Change) async throws -> PackageDetails {
        let note = try required(text, field: "statement", .statementMissing)
        return try await commands.execute(.addStatement, on: id, status: 201, by: change, note: note)
    }

    private func required(_ text: String?, field: String, _ missing: CarrepsaMessage) throws -> String? {
        var problems = FieldErrors<CarrepsaMessage>()
        let note = PackageDraft.text(text, field, &problems)
        if note == nil { problems.refuse(field, missing) }
        try problems.finish()
        return note
    }

    // MARK: Administrators

    /// Returns a page of open disputes, newest first.
    /// - Throws: `AppError`: `forbidden` if the actor isn't an administrator; `invalid` at `after`.
    package func list(for actor: Actor, after: String?, limit: Int) async throws -> ListPage<Package> {
        let request = try PageRequest(after: after, limit: limit, cursor: DisputeCursor.init)
        let packages = try await deadlines.read { [details] tx, _ in
            guard try AdministratorPolicy.isAdministrator(actor, in: tx) else {
                throw AppError(.forbidden, .operatorsOnly)
            }
            return try details.packages(
                try PackageList.disputes(before: request.after, limit: request.rows, in: tx), in: tx)
        }
        return request.page(packages) { DisputeCursor($0).text }
    }

    /// Returns the number of packages in dispute.
    package func openCount(in tx: Transaction) throws -> Int { try PackageList.disputeCount(in: tx) }

    /// Validates an administrator's note.
    /// - Throws: `AppError.invalid` at `note`.
    package func validate(note: String?) throws { _ = try validated(note) }

    /// Decides a dispute as an administrator who is neither owner nor carrier.
    /// - Parameter note: a note for both parties, at most ``Limits/descriptionCharacters`` characters.
    /// - Throws: `AppError`: `forbidden`, `notFound`, `invalid` at `note`; `conflict` if the package isn't in
    ///   dispute.
    package func decide(
        _ id: ID<Package>, outcome: DisputeOutcome, note: String?, by change: Change
    ) async throws -> Package {
        let action: PackageAction =
            switch outcome {
            case .delivered: .decideDelivered
            case .refunded: .decideRefunded
            case .lost: .decideLost
            }
        let note = try validated(note)
        var command = commands.command(action, on: id, by: change)
        command.note = note
        // The administrator can't see the package after the decision, but gets the result.
        return try await commands.execute(command, status: 201, scope: change.idempotency) { [details] named, tx in
            try details.package(named, in: tx)
        }
    }

    private func validated(_ note: String?) throws -> String? {
        var problems = FieldErrors<CarrepsaMessage>()
        let text = PackageDraft.text(note, "note", &problems)
        try problems.finish()
        return text
    }
}
