package import Accounts
import Kernel
import Storage

extension TrackingService {
    /// What the actor's new items start with.
    package func itemDefaults(for actor: Actor) async throws -> ItemDefaults {
        try await database.read { tx in try ItemDefaultsStore.defaults(of: actor.person, in: tx) }
    }

    /// Changes what the actor's new items start with. Those that are there keep what they have.
    /// - Parameter patch: cleared as a whole or in parts, the product's own defaults are back.
    /// - Throws: `AppError`: `conflict` when they moved on from what the asker read; `invalid` at
    ///   `settings.lostMetres`, …
    package func updateItemDefaults(
        _ patch: FieldChange<SettingsPatch>, by change: Change
    ) async throws -> ItemDefaults {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 200, now: now, resource: "") {
                let before = try ItemDefaultsStore.lock(of: owner, in: tx)
                if change.isStale(at: before.version) { throw AppError(.conflict, .movedOn) }
                var problems = Problems()
                var settings = before.settings
                switch patch {
                case .keep: break
                case .clear: settings = .standard
                case .set(let patch):
                    settings = SettingsRule.apply(patch, to: settings, defaults: .standard, problems: &problems)
                }
                try problems.finish()
                // How long history is kept is for each thing by itself to say.
                settings.keepDays = nil
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
        return try await itemDefaults(for: change.actor)
    }
}
