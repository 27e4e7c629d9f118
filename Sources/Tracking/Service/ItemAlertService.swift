package import Accounts
package import Kernel
import Storage

/// The alerts about items that a person got, with what decided them.
package struct ItemAlertService: Sendable {
    let database: Database
    let addresses: AddressService

    /// Returns an alert with its item and the names of its positions.
    /// - Throws: `AppError.notFound`, also for an alert about an item that the actor can't see any more.
    package func alert(
        _ id: ID<ItemAlert>, for actor: Actor
    ) async throws -> (alert: ItemAlert, item: Item, names: PlaceNames) {
        let (alert, item, names) = try await database.read { tx in
            guard let alert = try ItemAlertStore.one(id, of: actor.person, in: tx),
                let item = try ItemStore.item(alert.item, of: actor.person, in: tx)
            else { throw AppError.notFound }
            return (alert, item, try PlaceNames.all(for: actor, in: tx))
        }
        return (alert, item, try await addresses.resolve(names, for: alert.evidence.positions.compactMap(\.coordinate)))
    }
}
