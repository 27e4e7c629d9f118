package import Accounts
package import Kernel
import Storage

extension FamilyService {
    /// Creates a code with which a child's device signs in once, within ``Limits/signInCodeSeconds``. It revokes the
    /// child's earlier codes; the newest ``Limits/signInCodesKept`` codes stay stored.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    package func makeCode(of child: PersonID, by change: Change) async throws -> SignInCode {
        let now = clock.now
        let code = Secret.code(random: random)
        let made = SignInCode(
            id: ID(at: now, random: random), code: code, url: "\(siteURL)/family/sign-in?code=\(code)",
            expiresAt: now.adding(seconds: Limits.signInCodeSeconds)
        )
        // The response contains a secret that isn't stored, so it can't be replayed.
        return try await writing(by: change.actor) { [self] tx, householdActor in
            try householdActor.require(.makeCode, with: child, in: tx)
            // A password change may have ended the session and revoked the codes created in it.
            try accounts.requireOpenSession(of: change.actor, in: tx)
            try notifyOfCode(of: child, by: householdActor, now: now, in: tx)
            if try CodeStore.close(of: child, as: .replaced, now: now, in: tx) {
                try Self.publishToParents(of: child, householdActor.household, now: now, in: tx)
            }
            try CodeStore.insert(
                made.id, child: child, hash: Secret.hash(code), now: now, expiresAt: made.expiresAt, in: tx)
            try CodeStore.deleteBeyond(Limits.signInCodesKept, of: child, in: tx)
            return made
        }
    }

    /// Returns the state of a code, for ``Limits/signInCodeKeptSeconds`` after it expires.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    package func codeState(
        _ id: ID<SignInCode>, of child: PersonID, for actor: Actor
    ) async throws -> SignInCode.State {
        let now = clock.now
        return try await reading(for: actor) { tx, householdActor in
            try householdActor.require(.seeCode, with: child, in: tx)
            guard let code = try CodeStore.find(id, of: child, in: tx) else { throw AppError.notFound }
            return code.state(now)
        }
    }

    /// Revokes a child's open code.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    package func voidCodes(of child: PersonID, by change: Change) async throws {
        let now = clock.now
        try await writing(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: child.description) {
                try householdActor.require(.voidCodes, with: child, in: tx)
                guard try CodeStore.close(of: child, as: .revoked, now: now, in: tx) else { return }
                try Self.publishToParents(of: child, householdActor.household, now: now, in: tx)
            }
        }
    }

    private static func publishToParents(
        of child: PersonID, _ household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try FamilyEvents.tell("child", FamilyEvents.child(child), of: household, to: .parents, now: now, in: tx)
    }

    /// Returns the child that a code would sign in. Doesn't use the code up, so previews and prefetching are harmless.
    /// - Parameter clientAddress: the address after trusted proxies; wrong codes are counted for it.
    /// - Throws: `AppError`: `invalid` at `code` without one; `notFound` for a code that is unknown, used, expired,
    ///   revoked or of a deleted child, without a difference; `throttled`.
    package func holder(ofCode code: String?, clientAddress: String) async throws -> CodeHolder {
        let now = clock.now
        return try await trying(code, from: clientAddress, .codeUnknown) { [self] hash, tx in
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
        let token = accounts.makeToken()
        let session = ID<Session>(at: now, random: random)
        return try await trying(code, from: device.clientAddress, .codeUnknown) { [self] hash, tx in
            guard let (code, member) = try openCode(hash, locking: true, now: now, in: tx) else { return nil }
            _ = try CodeStore.close(of: code.child, as: .used, now: now, in: tx)
            let signedIn = try accounts.openSession(
                of: code.child, device: device, token: token, sessionID: session, by: .code, now: now, in: tx)
            try notifyOfSignIn(
                of: code.child, member.household, session: session, device: signedIn.session.name, now: now, in: tx)
            try Self.publishToParents(of: code.child, member.household, now: now, in: tx)
            try FamilyEvents.tell(
                "session", FamilyEvents.child(code.child), of: member.household, to: .parentsAnd(code.child), now: now,
                in: tx)
            let householdActor = HouseholdActor(person: code.child, household: member.household, role: .child)
            return ChildSignIn(signedIn: signedIn, child: try child(code.child, for: householdActor, in: tx))
        }
    }

    /// Returns an open code and the membership of its child.
    private func openCode(
        _ hash: [UInt8], locking: Bool, now: Instant, in tx: Transaction
    ) throws -> (StoredSignInCode, StoredMember)? {
        guard let found = try CodeStore.find(hash: hash, in: tx),
            let member = try HouseholdStore.member(found.child, in: tx)
        else { return nil }
        if locking { _ = try HouseholdStore.lock(member.household, in: tx) }
        // The code may have changed before the household was locked: read it again.
        guard let code = try CodeStore.find(hash: hash, in: tx), code.state(now) == .open,
            let present = try HouseholdStore.member(code.child, in: tx), present.deletedAt == nil,
            present.household == member.household
        else { return nil }
        return (code, present)
    }

    /// Tries a code. `body` returns `nil` for a wrong one, which counts against the client's address.
    func trying<T: Sendable>(
        _ code: String?, from clientAddress: String, _ unknown: FamilyMessage,
        _ body: @escaping @Sendable ([UInt8], Transaction) throws -> T?
    ) async throws -> T {
        guard let code, !code.allSatisfy(\.isWhitespace) else {
            throw AppError(.invalid, .codeMissing, field: "code")
        }
        let now = clock.now
        let address = ClientNetwork.key(clientAddress)
        do {
            let found = try await database.write { [codeThrottle] tx -> T? in
                try codeThrottle.check(address, now: now, in: tx)
                if let hash = Secret.hash(shown: code), let found = try body(hash, tx) { return found }
                try codeThrottle.fail(address, now: now, in: tx)
                return nil
            }
            guard let found else { throw AppError(.notFound, unknown) }
            return found
        } catch let error as AppError where error.code == .throttled {
            throw AppError(
                .throttled, FamilyMessage.codeThrottled.rawValue, retryAfterSeconds: error.retryAfterSeconds
            )
        }
    }

    // MARK: Devices

    /// Returns a page of the devices on which a child is signed in, the oldest sign-in first.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a sibling's; `invalid` at `after`.
    package func devices(
        of child: PersonID, for actor: Actor, after: String?, limit: Int
    ) async throws -> FamilyPage<Session> {
        let start: ID<Session>? = try Cursor.id(after)
        let limit = Cursor.limit(limit)
        let sessions = try await reading(for: actor) { [self] tx, householdActor in
            try householdActor.require(.seeDevices, with: child, in: tx)
            return try accounts.sessions(of: child, after: start, limit: limit + 1, in: tx)
        }
        return FamilyPage(sessions, limit: limit) { $0.id.description }
    }

    /// Signs out one device of a child and ends the live streams of its open pages.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a sibling's.
    package func removeDevice(_ id: ID<Session>, of child: PersonID, by change: Change) async throws {
        let now = clock.now
        try await writing(by: change.actor) { [self] tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.removeDevice, with: child, in: tx)
                try accounts.endSession(id, of: child, now: now, in: tx)
                try FamilyEvents.tell(
                    "session", FamilyEvents.child(child), of: householdActor.household, to: .parentsAnd(child),
                    now: now, in: tx)
            }
        }
    }

    /// Signs out all devices of a household's children.
    func endSessionsOfChildren(of household: ID<Household>, now: Instant, in tx: Transaction) throws {
        for child in try HouseholdStore.allChildren(of: household, in: tx) {
            try accounts.closeSessions(of: child, now: now, in: tx)
            try FamilyEvents.tell(
                "session", FamilyEvents.child(child), of: household, to: .parentsAnd(child), now: now, in: tx)
        }
    }

    /// Returns whether a device is signed in as a child of the household.
    func hasSessionsOfChildren(of household: ID<Household>, in tx: Transaction) throws -> Bool {
        try HouseholdStore.allChildren(of: household, in: tx).contains { try accounts.sessionCount(of: $0, in: tx) > 0 }
    }
}
