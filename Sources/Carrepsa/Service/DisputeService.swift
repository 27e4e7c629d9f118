package import Accounts
package import Kernel
package import Pictures
package import Storage

/// Disputes: opened and discussed by owner and carrier, decided by an administrator.
package struct DisputeService: Sendable {
    let deadlines: PackageDeadlines
    let details: PackageDetailsReader
    let commands: PackageCommandExecutor

    /// Validates the reason of a dispute.
    /// - Throws: `AppError.invalid` at `reason`.
    package func validate(reason: String?) throws { _ = try required(reason, field: "reason", .reasonMissing) }

    /// Validates the text of an offer.
    /// - Throws: `AppError.invalid` at `statement`.
    package func validate(statement: String?) throws { _ = try optional(statement, field: "statement") }

    /// Opens a dispute, which an administrator decides.
    /// - Parameters:
    ///   - kind: what it is about; `nil` for something else.
    ///   - reason: 1 to ``Limits/descriptionCharacters`` characters.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`; `invalid` at `reason`.
    package func open(
        _ id: ID<Package>, kind: DisputeKind? = nil, reason: String?, by change: Change
    ) async throws -> PackageDetails {
        let note = try required(reason, field: "reason", .reasonMissing)
        return try await execute(.dispute, on: id, note: note, kind: kind, by: change)
    }

    /// Adds a statement to a dispute, as owner or carrier. Statements can't be changed.
    /// - Parameters:
    ///   - text: 1 to ``Limits/descriptionCharacters`` characters.
    ///   - picture: from the actor's library; `nil` for none. The history has its hash, and the ledger seals the entry.
    ///   - read: reads the picture's file.
    /// - Throws: `AppError`: `notFound`, `forbidden`; `conflict` if it isn't in dispute, when the time is over, or
    ///   after ``Limits/disputeStatements`` statements; `invalid` at `statement` and `pictureId`.
    package func addStatement(
        _ id: ID<Package>, text: String?, picture: ID<Picture>? = nil, reading read: PhotoReader = { _ in nil },
        by change: Change
    ) async throws -> PackageDetails {
        let note = try required(text, field: "statement", .statementMissing)
        guard let picture else { return try await execute(.addStatement, on: id, note: note, by: change) }
        guard let bytes = try await read(picture) else {
            try await requireStatement(id, for: change.actor)
            throw AppError(.invalid, .photoMissing, field: "pictureId")
        }
        let photo = PackageCommand.Photo(picture: picture, digest: SHA256Text.digest(of: bytes))
        return try await commands.execute(.addStatement, on: id, status: 201, by: change) { command in
            command.note = note
            command.photo = photo
        }
    }

    /// Checks whether the actor can add a statement, before an uploaded photo is stored.
    /// - Throws: `AppError`: `notFound`, `forbidden`; `conflict` in another state.
    package func requireStatement(_ id: ID<Package>, for actor: Actor) async throws {
        try await commands.requirePossible(.addStatement, on: id, for: actor)
    }

    // MARK: Offers

    /// Offers the other person a division of the money, as owner or carrier. It replaces the offer before.
    /// - Parameters:
    ///   - split: `nil` if an amount is missing.
    ///   - statement: a text for the other person, at most ``Limits/descriptionCharacters`` characters.
    /// - Throws: `AppError`: `notFound`, `forbidden`; `conflict` if it isn't in dispute, or after
    ///   ``Limits/disputeStatements`` statements and offers; `invalid` at `rewardToCarrier`, `depositToOwner` and
    ///   `statement`.
    package func offerSplit(
        _ id: ID<Package>, _ split: MoneySplit?, statement: String?, by change: Change
    ) async throws -> PackageDetails {
        let note = try optional(statement, field: "statement")
        return try await execute(.offerSplit, on: id, note: note, split: split, by: change)
    }

    /// Takes the actor's own offer back, or declines the other person's.
    /// - Throws: `AppError`: `notFound`, `forbidden`; `conflict` if there is no offer.
    package func removeOffer(_ id: ID<Package>, by change: Change) async throws -> PackageDetails {
        try await commands.execute(.retractSplit, on: id, status: 200, by: change)
    }

    /// Accepts the other person's offer. The money moves, and the delivery ends, so the version that the actor read is
    /// required: the other person can replace the offer at any time.
    /// - Throws: `AppError`: `notFound`, `forbidden`; `conflict` if the other person offers nothing, for a
    ///   stale version, and without one.
    package func acceptSplit(_ id: ID<Package>, by change: Change) async throws -> PackageDetails {
        try await commands.execute(.acceptSplit, on: id, status: 201, by: change) { $0.needsVersion = true }
    }

    // MARK: After the decision

    /// Accepts the decision, as owner or carrier. When both have, it takes effect.
    /// - Throws: `AppError`: `notFound`, `forbidden`; `conflict` if no decision waits to take effect.
    package func acceptDecision(_ id: ID<Package>, by change: Change) async throws -> PackageDetails {
        try await execute(.acceptDecision, on: id, by: change)
    }

    /// Appeals against the decision, as owner or carrier, once per package. An administrator decides again: another
    /// one, if the server has one.
    /// - Parameter reason: 1 to ``Limits/descriptionCharacters`` characters.
    /// - Throws: `AppError`: `notFound`, `forbidden`; `conflict` if no decision waits to take effect, or after an
    ///   appeal; `invalid` at `reason`.
    package func appeal(_ id: ID<Package>, reason: String?, by change: Change) async throws -> PackageDetails {
        let note = try required(reason, field: "reason", .appealReasonMissing)
        return try await execute(.appeal, on: id, note: note, by: change)
    }

    private func execute(
        _ action: PackageAction, on id: ID<Package>, note: String? = nil, kind: DisputeKind? = nil,
        split: MoneySplit? = nil, by change: Change
    ) async throws -> PackageDetails {
        try await commands.execute(action, on: id, status: 201, by: change) { command in
            command.note = note
            command.disputeKind = kind
            command.split = split
        }
    }

    private func required(_ text: String?, field: String, _ missing: CarrepsaMessage) throws -> String {
        guard let note = try optional(text, field: field) else { throw AppError(.invalid, missing, field: field) }
        return note
    }

    private func optional(_ text: String?, field: String) throws -> String? {
        var problems = FieldErrors<CarrepsaMessage>()
        let note = PackageDraft.text(text, field, &problems)
        try problems.finish()
        return note
    }

    // MARK: Administrators

    /// Returns a page of disputes, newest first.
    /// - Parameter isDecided: `false` returns the disputes that wait for a decision; `true` the decided ones, until
    ///   ``Limits/decidedCaseSeconds`` after their end.
    /// - Throws: `AppError`: `forbidden` if the actor isn't an administrator; `invalid` at `after`.
    package func list(
        isDecided: Bool = false, for actor: Actor, after: String?, limit: Int
    ) async throws -> ListPage<DisputeCase> {
        let request = try PageRequest(after: after, limit: limit, cursor: DisputeCursor.init)
        let cases = try await deadlines.read { [details] tx, now in
            guard try AdministratorPolicy.isAdministrator(actor, in: tx) else {
                throw AppError(.forbidden, .operatorsOnly)
            }
            let rows =
                isDecided
                ? try PackageList.decidedDisputes(before: request.after, limit: request.rows, now: now, in: tx)
                : try PackageList.disputes(before: request.after, limit: request.rows, in: tx)
            let others = try isDecided ? [] : DisputeStore.appealsOfOthers(than: actor.person, in: tx)
            return try zip(rows, details.packages(rows, in: tx)).map { named, package in
                DisputeCase(
                    package: package, decision: named.stored.dispute?.decision,
                    reason: isDecided ? try PackageHistoryStore.decisionReason(of: package.id, in: tx) : nil,
                    isOfOthers: others.contains(package.id))
            }
        }
        return request.page(cases) { DisputeCursor($0).text }
    }

    /// Returns the number of packages in dispute that the administrator can decide, or can when the time for statements
    /// is over.
    package func openCount(for administrator: PersonID, in tx: Transaction) throws -> Int {
        try PackageList.disputeCount(in: tx) - DisputeStore.appealsOfOthers(than: administrator, in: tx).count
    }

    /// Validates the reason of a decision.
    /// - Throws: `AppError.invalid` at `note`.
    package func validate(note: String?) throws { _ = try required(note, field: "note", .decisionReasonMissing) }

    /// Decides a dispute as an administrator who has no part in the package. The decision takes effect after
    /// ``Limits/appealSeconds``, when owner and carrier accept it, or at once if it follows an appeal.
    /// - Parameters:
    ///   - split: the division of the money of ``DisputeOutcome/split``; ignored otherwise.
    ///   - note: the reason, which owner and carrier read, 1 to ``Limits/descriptionCharacters`` characters.
    /// - Throws: `AppError`: `forbidden`, `notFound`; `invalid` at `note`, `rewardToCarrier` and `depositToOwner`;
    ///   `conflict` if the package isn't in dispute, is decided, or one of them can still write a first statement.
    package func decide(
        _ id: ID<Package>, outcome: DisputeOutcome, split: MoneySplit? = nil, note: String?, by change: Change
    ) async throws -> Package {
        let action: PackageAction =
            switch outcome {
            case .delivered: .decideDelivered
            case .refunded: .decideRefunded
            case .lost: .decideLost
            case .split: .decideSplit
            }
        var command = commands.command(action, on: id, by: change)
        command.note = try required(note, field: "note", .decisionReasonMissing)
        if outcome == .split { command.split = split }
        // The administrator can't see the package after it has ended, but gets the result.
        return try await commands.execute(command, status: 201, scope: change.idempotency) { [details] named, tx in
            try details.package(named, in: tx)
        }
    }
}
