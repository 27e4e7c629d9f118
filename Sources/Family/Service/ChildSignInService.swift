package import Accounts
import Kernel
import Storage

/// The sign-in of a child's device by a code.
package struct ChildSignInService: Sendable {
    let verifier: FamilyCodeVerifier
    let children: ChildReader
    let today: TodayReader
    let accounts: AccountReader
    let sessionCreator: SessionCreator
    let notifier: ChildNotifier
    let clock: any WallClock
    let random: any RandomSource

    /// Returns the child that a code would sign in. Doesn't use the code up, so previews and prefetching are harmless.
    /// - Parameter clientAddress: the address after trusted proxies; wrong codes are counted for it.
    /// - Throws: `AppError`: `invalid` at `code` without one; `notFound` for a code that is unknown, used, expired,
    ///   revoked or of a deleted child, without a difference; `throttled`.
    package func holder(ofCode code: String?, clientAddress: String) async throws -> CodeHolder {
        let now = clock.now
        return try await verifier.verify(code, from: clientAddress, .codeUnknown) { hash, tx in
            guard let (code, _) = try openCode(hash, locking: false, now: now, in: tx),
                let account = try accounts.accounts([code.child], in: tx)[code.child]
            else { return nil }
            return CodeHolder(name: account.name, theme: account.theme, avatarPictureID: account.avatarPictureID)
        }
    }

    /// Signs in a child's device and uses the code up.
    /// - Throws: as ``holder(ofCode:clientAddress:)``.
    package func signIn(code: String?, device: DeviceInfo) async throws -> ChildSignIn {
        let now = clock.now
        let token = sessionCreator.newToken()
        let session = ID<Session>(at: now, random: random)
        return try await verifier.verify(code, from: device.clientAddress, .codeUnknown) { hash, tx in
            guard let (code, member) = try openCode(hash, locking: true, now: now, in: tx) else { return nil }
            _ = try SignInCodeStore.close(of: code.child, as: .used, now: now, in: tx)
            let signedIn = try sessionCreator.openSession(
                of: code.child, device: device, token: token, sessionID: session, by: .code, now: now, in: tx)
            try notifier.notifyOfSignIn(
                of: code.child, member.household, session: session, device: signedIn.session.name, now: now, in: tx)
            try FamilyEvents.publish(
                "child", FamilyEvents.child(code.child), of: member.household, to: .parents, now: now, in: tx)
            try FamilyEvents.publish(
                "session", FamilyEvents.child(code.child), of: member.household, to: .parentsAnd(code.child), now: now,
                in: tx)
            let householdActor = HouseholdActor(person: code.child, household: member.household, role: .child)
            let today = try today.today(for: householdActor, now: now, in: tx)
            return ChildSignIn(
                signedIn: signedIn, child: try children.child(code.child, for: householdActor, in: tx),
                hasChoresDue: today.count(.due) + today.count(.overdue) > 0)
        }
    }

    /// Returns an open code and the membership of its child.
    private func openCode(
        _ hash: [UInt8], locking: Bool, now: Instant, in tx: Transaction
    ) throws -> (StoredSignInCode, StoredMember)? {
        guard let found = try SignInCodeStore.find(hash: hash, in: tx),
            let member = try HouseholdStore.member(found.child, in: tx)
        else { return nil }
        if locking { _ = try HouseholdStore.lock(member.household, in: tx) }
        // The code may have changed before the household was locked: read it again.
        guard let code = try SignInCodeStore.find(hash: hash, in: tx), code.state(now) == .open,
            let present = try HouseholdStore.member(code.child, in: tx), present.deletedAt == nil,
            present.household == member.household
        else { return nil }
        return (code, present)
    }
}
