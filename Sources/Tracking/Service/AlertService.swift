package import Accounts
import Kernel
import Notifications
package import Storage

/// When the owner is notified of separations.
package struct AlertService: Sendable {
    let database: Database
    let clock: any WallClock

    /// Returns whether the list of the actor's notifications offers to change the alert mode: while it contains the
    /// first alerts.
    package func isOfferedInFeed(of actor: Actor, in tx: Transaction) throws -> Bool {
        guard try offer(for: actor.person, in: tx) != nil else { return false }
        return try Notice.count(.itemTooFar, of: actor.person, upTo: 1, in: tx) > 0
    }

    /// Returns the offer to change the alert mode; `nil` for none.
    func offer(for person: PersonID, in tx: Transaction) throws -> AlertOffer? {
        guard let choice = try AlertStore.choice(of: person, in: tx) else {
            return try AlertStore.hasTracker(person, in: tx) ? .firstChoice : nil
        }
        guard choice == .everyTime else { return nil }
        let most = Limits.alertsWithOffer
        let count = try Notice.count(.itemTooFar, of: person, upTo: most + 1, in: tx)
        return (1...most).contains(count) ? .afterAlerts : nil
    }

    /// Returns the actor's alert mode.
    package func mode(for actor: Actor) async throws -> AlertMode {
        try await database.read { tx in try AlertStore.mode(of: actor.person, in: tx) }
    }

    /// Returns the alert mode that the actor chose, `nil` before the first choice, and the number of the actor's safe
    /// places.
    package func choiceWithPlaceCount(for actor: Actor) async throws -> (mode: AlertMode?, safePlaceCount: Int) {
        try await database.read { tx in
            (try AlertStore.choice(of: actor.person, in: tx), try SafePlaceStore.count(of: actor.person, in: tx))
        }
    }

    /// Sets the actor's alert mode, for all items.
    package func setMode(_ mode: AlertMode, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 200, now: now, resource: "") {
                // The first choice is stored even if it equals the default: the app asks only once.
                let present = try AlertStore.choice(of: owner, in: tx)
                guard present != mode else { return }
                // A separation before the first choice caused no alert, so the next positions can cause one.
                if present == nil { try AlertStore.endSeparations(of: owner, now: now, in: tx) }
                try AlertStore.setMode(mode, of: owner, in: tx)
                try tx.publish(TrackingEvents.alerts(of: owner, now: now))
            }
        }
    }
}
