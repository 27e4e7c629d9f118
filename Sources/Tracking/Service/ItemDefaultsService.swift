package import Accounts
package import Kernel
import Storage

/// The settings of new items.
package struct ItemDefaultsService: Sendable {
    let database: Database
    let overviews: ItemOverviewReader
    let clock: any WallClock

    /// Returns the settings for the actor's new items.
    package func defaults(for actor: Actor) async throws -> ItemDefaults {
        try await database.read { tx in try ItemDefaultsStore.defaults(of: actor.person, in: tx) }
    }

    /// Returns the settings for the actor's new items, and a page of the present ones.
    /// - Throws: `AppError.invalid` at `after` for an unknown cursor.
    package func defaultsWithItems(
        for actor: Actor, after: String?, limit: Int
    ) async throws -> (defaults: ItemDefaults, items: ListPage<ItemOverview>) {
        let request = try PageRequest<ID<Item>>(after: after, limit: limit)
        let now = clock.now
        return try await database.read { [overviews] tx in
            let items = try overviews.page(for: actor, after: request.after, limit: request.rows, now: now, in: tx)
            return (
                try ItemDefaultsStore.defaults(of: actor.person, in: tx),
                request.page(items, \.item.id)
            )
        }
    }

    /// Changes the settings for the actor's new items. Existing items keep their settings.
    /// - Parameter patch: A cleared patch or setting restores the product's defaults.
    /// - Throws: `AppError`: `conflict` when the version in the request is stale; `invalid` at `settings.lostMetres`, …
    package func update(
        _ patch: FieldChange<SettingsPatch>, by change: Change
    ) async throws -> ItemDefaults {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 200, now: now, resource: "") {
                let before = try ItemDefaultsStore.lock(of: owner, in: tx)
                if change.isStale(at: before.version) { throw AppError(.conflict, .movedOn) }
                var problems = FieldErrors<TrackingErrorMessage>()
                var settings = before.settings
                switch patch {
                case .unchanged: break
                case .clear: settings = .standard
                case .set(let patch):
                    settings = SettingsRule.apply(patch, to: settings, defaults: .standard, problems: &problems)
                }
                try problems.finish()
                // `keepDays` and `silentHours` have no account-wide defaults; each item has its own.
                settings.keepDays = nil
                settings.silentHours = nil
                guard settings != before.settings else { return }
                let after = ItemDefaults(settings: settings, version: before.version + 1)
                try ItemDefaultsStore.update(after, of: owner, in: tx)
                try tx.publish(
                    ChangeEvent(
                        audience: owner, kind: "item", resource: "/tracking/settings", version: after.version, at: now
                    )
                )
            }
        }
        return try await defaults(for: change.actor)
    }
}
