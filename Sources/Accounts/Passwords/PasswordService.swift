import Kernel
import Storage

/// The password of a signed-in person.
package struct PasswordService: Sendable {
    let database: Database
    let accounts: AccountReader
    let proofs: ProofService
    let signInMethods: SignInMethodReader
    let replacement: PasswordReplacement
    let sessions: SessionCreator
    let dataHandlers: [any AccountDataHandler]
    let hasher: any PasswordHasher
    let hashLimiter: WorkLimiter
    let clock: any WallClock

    /// Sets a new password, signs out every other device and voids open codes. An account without a password gets its
    /// first one by a stored proof (``SensitiveAct/setPassword``).
    /// - Parameter removing: other ways to sign in that are removed too.
    /// - Returns: the new secret of the actor's session, where it is a cookie: a copy of the old one ends. `nil` for a
    ///   program, which keeps its secret.
    /// - Throws: ``AppError`` `invalid` with `fields.current` when that is wrong, or `fields.password`; `throttled`
    ///   after too many wrong ones; `forbidden` for a child.
    @discardableResult
    package func change(
        current: String?, new: String?, removing: OtherSignInMethods = [], by actor: Actor
    ) async throws -> String? {
        try actor.requireAdult()
        let isFirst = try await !proofs.hasPassword(actor.person)
        var check = FieldErrors<AccountMessage>()
        if !isFirst { _ = check.checkedPassword(current, field: "current") }
        let chosen = check.chosenPassword(new)
        if isFirst, try await accounts.account(actor).email == nil { check.refuse("password", .emailFirst) }
        try check.finish()
        guard let chosen else { throw AppError(.invalid, .required) }
        let field = isFirst ? "password" : "current"
        let evidence = isFirst ? Evidence.stored : try await proofs.evidence(password: current, field: field, of: actor)
        let hash = try await hashLimiter.run(keys: ["person \(actor.person)"]) {
            try await hasher.hash(chosen.bytes)
        }
        let (now, token) = (clock.now, sessions.newToken())
        return try await database.write { tx in
            let account = try proofs.require(.setPassword, of: actor, with: evidence, field: field, now: now, in: tx)
            try replacement.replace(
                of: account, with: hash, removing: removing, keeping: actor.session, now: now, in: tx)
            let isCookie = try SessionStore.replaceToken(of: actor.session, .cookie, with: Token.hash(token), in: tx)
            return isCookie ? token : nil
        }
    }

    /// Returns the ways to sign in to the actor's account, and whether a device is signed in as a child of the actor.
    package func signInMethodsWithChildDevices(
        of actor: Actor
    ) async throws -> (methods: SignInMethods, hasChildDevices: Bool) {
        let now = clock.now
        return try await database.read { tx in
            (
                try signInMethods.methods(of: actor, for: .setPassword, now: now, in: tx),
                try dataHandlers.contains { try $0.hasChildSessions(of: actor.person, in: tx) }
            )
        }
    }
}
