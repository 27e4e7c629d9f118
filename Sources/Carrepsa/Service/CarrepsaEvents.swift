import Kernel
import Storage

/// The change events of this module.
enum CarrepsaEvents {
    static func path(_ package: ID<Package>) -> String { "/carrepsa/packages/\(package)" }

    static func package(_ package: StoredPackage, to audience: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(
            audience: audience, kind: "package", resource: path(package.id), version: package.version, at: now
        )
    }

    static func wallet(of person: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: person, kind: "wallet", resource: "/carrepsa/wallet", version: 0, at: now)
    }

    /// Publishes a transition to its audience. A change of the offers goes to everyone, which includes owner and
    /// carrier.
    static func publish(
        _ transition: Transition, from before: StoredPackage, to after: StoredPackage, now: Instant, in tx: Transaction
    ) throws {
        let carrier = after.carrier ?? before.carrier
        var audience = [ChangeEvent.everyone]
        if !transition.audience.contains(.stranger) {
            audience = [after.owner, carrier].compactMap { $0 }
            if transition.audience.contains(.operator) {
                audience += try PeopleStore.operators(in: tx).filter { !audience.contains($0) }
            }
        }
        var events = audience.map { package(after, to: $0, now: now) }
        let parties = transition.partiesWithChangedWallet(before)
        if parties.contains(.owner), let owner = after.owner { events.append(wallet(of: owner, now: now)) }
        if parties.contains(.carrier), let carrier { events.append(wallet(of: carrier, now: now)) }
        try tx.publish(events)
    }
}
