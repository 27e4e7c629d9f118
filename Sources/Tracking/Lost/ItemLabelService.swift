package import Accounts
package import Kernel
import Storage

/// `…/label`: the printed label of an item, whose QR code leads to the page for finders.
package struct ItemLabelService: Sendable {
    let database: Database
    let secrets: SecretBox
    let clock: any WallClock
    let random: any RandomSource

    /// Returns the label of an item.
    /// - Throws: `AppError`: `notFound`; `forbidden` without the access to manage the item.
    package func label(of id: ID<Item>, for actor: Actor) async throws -> ItemLabel {
        let (item, sealed) = try await database.read { tx in
            let item = try ItemStore.item(id, of: actor.person, requires: .manage, in: tx)
            return (item, try ItemLabelStore.sealedSecret(of: id, in: tx))
        }
        return ItemLabel(item: item, secret: try sealed.map { String(decoding: try secrets.open($0), as: UTF8.self) })
    }

    /// Creates the secret of a label. It replaces the present one: labels that were printed with that one no longer
    /// work.
    /// - Throws: `AppError`: `notFound`; `forbidden` without the access to manage the item; `throttled`.
    package func create(of id: ID<Item>, by change: Change) async throws -> ItemLabel {
        let now = clock.now
        let secret = Token.make(byteCount: Limits.publicSecretBytes, random: random)
        let sealed = try secrets.seal(Array(secret.utf8))
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                _ = try ItemStore.lock(id, of: change.actor.person, requires: .manage, in: tx)
                try Throttle(
                    scope: "item-label", limit: Limits.labelsPerAccount, windowSeconds: Limits.labelSeconds
                ).fail(change.actor.person.description, now: now, in: tx)
                try ItemLabelStore.store(
                    hash: Token.hash(secret), sealed: sealed, of: id, now: now, in: tx)
            }
        }
        // A repeated request returns the label that the first one created.
        return try await label(of: id, for: change.actor)
    }
}
