package import Accounts
import Kernel
import Storage

/// The pairing of a shared tablet by a code.
package struct TabletPairingService: Sendable {
    let verifier: FamilyCodeVerifier
    let accounts: AccountReader
    let notifier: ChildNotifier
    let clock: any WallClock
    let random: any RandomSource

    /// Returns the name of the parent who showed a code. Doesn't use the code up, so previews and prefetching are
    /// harmless.
    /// - Parameter clientAddress: the address after trusted proxies; wrong codes are counted for it.
    /// - Throws: `AppError`: `invalid` at `code` without one; `notFound` for a code that is unknown, used, expired or
    ///   revoked, without a difference; `throttled`.
    package func parentName(ofCode code: String?, clientAddress: String) async throws -> String {
        let now = clock.now
        return try await verifier.verify(code, from: clientAddress, .codeUnknown) { hash, tx in
            try openCode(hash, now: now, in: tx).flatMap { try accounts.accounts([$0.madeBy], in: tx)[$0.madeBy]?.name }
        }
    }

    /// Pairs a tablet and uses the code up. All parents are notified.
    /// - Throws: as ``parentName(ofCode:clientAddress:)``.
    package func pair(code: String?, device: DeviceInfo) async throws -> PairedTablet {
        let now = clock.now
        let token = SharedDeviceToken.make(random: random)
        let id = ID<Tablet>(at: now, random: random)
        return try await verifier.verify(code, from: device.clientAddress, .codeUnknown) { hash, tx in
            guard let found = try TabletStore.code(hash, now: now, in: tx) else { return nil }
            _ = try HouseholdStore.lock(found.household, in: tx)
            // The code may have been used or revoked before the household was locked: read it again.
            guard let code = try openCode(hash, now: now, in: tx), code.household == found.household,
                let tokenHash = SharedDeviceToken.hash(shown: token)
            else { return nil }
            try TabletStore.deleteCode(of: code.household, in: tx)
            let stored = StoredTablet(
                id: id, household: code.household, name: device.name, pairedAt: now, pairedBy: code.madeBy,
                lastUsedAt: now)
            try TabletStore.insert(stored, tokenHash: tokenHash, code: code.id, in: tx)
            try notifier.notifyOfTablet(id, device: device.name, of: code.household, now: now, in: tx)
            try FamilyEvents.publish("tablet", FamilyEvents.tablets, of: code.household, to: .parents, now: now, in: tx)
            let names = try accounts.accounts([code.madeBy], in: tx).mapValues(\.name)
            return PairedTablet(tablet: Tablet(stored, names: names), token: token)
        }
    }

    /// Returns an open code of a parent who is still in the household.
    private func openCode(_ hash: [UInt8], now: Instant, in tx: Transaction) throws -> StoredTabletCode? {
        guard let code = try TabletStore.code(hash, now: now, in: tx),
            let member = try HouseholdStore.member(code.madeBy, in: tx), member.household == code.household,
            member.role == .parent
        else { return nil }
        return code
    }
}
