package import Accounts
import Kernel
import Storage

/// The positions of an account's phones, from which distances to items are measured.
package struct PhonePositionService: Sendable {
    let database: Database
    let separations: SeparationAlertService
    let people: PersonFollower
    let clock: any WallClock

    /// Stores a phone's position without an idempotency key.
    /// - Throws: The errors of ``report(_:by:)``.
    package func report(_ position: PhonePosition, by actor: Actor) async throws {
        try await report(position, by: Change(actor: actor))
    }

    /// Stores the position of the phone that sent the request. A position older than the stored one is ignored.
    /// - Throws: `AppError`: `invalid` at `latitude`, `longitude`, `accuracy` or `at`; `conflict` when the idempotency
    ///   key was used for another position, and for a child that doesn't share its position.
    package func report(_ position: PhonePosition, by change: Change) async throws {
        let actor = change.actor
        let now = clock.now
        let at = FixAcceptance.time(position.at ?? now, receivedAt: now)
        var problems = FieldErrors<TrackingErrorMessage>()
        if !(-90.0...90.0).contains(position.latitude) { problems.refuse("latitude", .latitudeOutOfRange) }
        if !(-180.0...180.0).contains(position.longitude) { problems.refuse("longitude", .longitudeOutOfRange) }
        if let accuracy = position.accuracyMetres, !Limits.accuracyMetres.contains(accuracy) {
            problems.refuse("accuracy", .accuracyOutOfRange)
        }
        if at == nil { problems.refuse("at", .timeOutOfRange) }
        let place = Coordinate(latitude: position.latitude, longitude: position.longitude)
        if let place, place.isNullIsland { problems.refuse("latitude", .noFix) }
        try problems.finish()
        guard let place, let at else { return }
        let report = Report(at: at, coordinate: place, accuracyMetres: position.accuracyMetres)
        do {
            _ = try await database.write { [separations, people] tx in
                // A late repetition must not count as the phone's present position.
                try tx.once(change.idempotency, status: 204, now: now, resource: "") {
                    if actor.role == .child, try PositionShareStore.lock(of: actor.person, now: now, in: tx).isEmpty {
                        throw AppError(.conflict, .notSharing)
                    }
                    let stored = try PositionStore.report(
                        report, at: at, of: .session(actor.session), owner: actor.person, now: now, in: tx
                    )
                    guard let stored else { return }
                    try tx.publish(TrackingEvents.position(of: actor.person, version: stored.version, now: now))
                    // As in the reports of items: last positions are locked before the rules about the person.
                    try separations.evaluate(phoneOf: actor.person, seenAt: at, now: now, in: tx)
                    if stored.isShared {
                        try people.phoneMoved(of: actor.person, PositionSample(report, at: at), now: now, in: tx)
                    }
                }
            }
        } catch StorageError.foreignKeyViolation {
            // The session ended during the request.
            throw AppError(.unauthenticated, "Sign in again.")
        }
    }
}
