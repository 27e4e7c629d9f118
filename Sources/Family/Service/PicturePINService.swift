package import Accounts
package import Kernel
import Storage

/// The picture PINs with which children act on a shared tablet, for their parents.
package struct PicturePINService: Sendable {
    let transactions: HouseholdTransactions
    let children: ChildReader
    let clock: any WallClock

    /// Returns the child, and whether it has a picture PIN.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    package func state(of child: PersonID, for actor: Actor) async throws -> (child: Child, isSet: Bool) {
        try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.setPicturePIN, with: child, in: tx)
            return (
                try children.child(child, for: householdActor, in: tx), try PicturePINStore.exists(of: child, in: tx)
            )
        }
    }

    /// Sets a child's picture PIN.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child; `invalid` at `pin` unless it has
    ///   ``Limits/picturePINLength`` pictures.
    package func set(_ pin: String?, of child: PersonID, by change: Change) async throws {
        try await transactions.write(by: change.actor) { tx, householdActor in
            try householdActor.require(.setPicturePIN, with: child, in: tx)
            guard let pin = pin.flatMap(PicturePIN.init) else {
                throw AppError(.invalid, .picturesMissing, field: "pin")
            }
            try PicturePINStore.set(pin, of: child, in: tx)
            try publish(child, householdActor.household, in: tx)
        }
    }

    /// Removes a child's picture PIN, if it has one.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    package func remove(of child: PersonID, by change: Change) async throws {
        try await transactions.write(by: change.actor) { tx, householdActor in
            try householdActor.require(.setPicturePIN, with: child, in: tx)
            try PicturePINStore.remove(of: child, in: tx)
            try publish(child, householdActor.household, in: tx)
        }
    }

    /// Updates the child's open pages on tablets, and the parents' page of tablets.
    private func publish(_ child: PersonID, _ household: ID<Household>, in tx: Transaction) throws {
        let now = clock.now
        try FamilyEvents.publish("child", FamilyEvents.child(child), of: household, now: now, in: tx)
        try FamilyEvents.publish("tablet", FamilyEvents.tablets, of: household, to: .parents, now: now, in: tx)
    }
}
