package import Accounts
package import Kernel
import Storage

extension TrackingService {
    /// Takes a position that comes without a key for repetitions.
    /// - Throws: as ``reportPosition(_:by:)``.
    package func reportPosition(_ position: PhonePosition, by actor: Actor) async throws {
        try await reportPosition(position, by: Change(actor: actor))
    }

    /// Takes the position of the phone that the actor asks from. One that is older than what is known is ignored.
    /// - Throws: `AppError`: invalid at `latitude`, `longitude`, `accuracy` or `at`; conflict when the key was used for
    ///   another position.
    package func reportPosition(_ position: PhonePosition, by change: Change) async throws {
        let actor = change.actor
        let now = clock.now
        let at = position.at ?? now
        var problems = Problems()
        if !(-90.0...90.0).contains(position.latitude) { problems.refuse("latitude", .latitudeOutOfRange) }
        if !(-180.0...180.0).contains(position.longitude) { problems.refuse("longitude", .longitudeOutOfRange) }
        if let accuracy = position.accuracyMetres, !Limits.accuracyMetres.contains(accuracy) {
            problems.refuse("accuracy", .accuracyOutOfRange)
        }
        if !FixAcceptance.isAcceptable(at, now: now) { problems.refuse("at", .timeOutOfRange) }
        try problems.finish()
        guard let place = Coordinate(latitude: position.latitude, longitude: position.longitude) else { return }
        let report = Report(at: at, coordinate: place, accuracyMetres: position.accuracyMetres)
        do {
            _ = try await database.write { [self] tx in
                // A repetition that comes late must not count as where the phone is now.
                try tx.once(change.idempotency, status: 204, now: now, resource: "") {
                    let version = try PositionStore.report(
                        report, at: at, of: .session(actor.session), owner: actor.person, now: now, in: tx
                    )
                    guard let version else { return }
                    try tx.publish(Announcement.position(of: actor.person, version: version, now: now))
                    try warn(of: actor.person, phoneSeenAt: at, now: now, in: tx)
                }
            }
        } catch StorageError.foreignKeyViolation {
            // The session ended while this was on its way.
            throw AppError(.unauthenticated, "Sign in again.")
        }
    }

    /// The place that the actor's view measures from: the asking session's own while it is fresh, else that of the
    /// account's phone which told it last. `nil` when none is known.
    package func phonePlace(for actor: Actor) async throws -> Coordinate? {
        let now = clock.now
        return try await database.read { tx in try PositionStore.phone(for: actor, now: now, in: tx)?.coordinate }
    }
}
