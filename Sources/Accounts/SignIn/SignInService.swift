import Kernel
import Storage

/// Sign-in by email and password.
package struct SignInService: Sendable {
    let database: Database
    let passwords: PasswordVerifier
    let sessions: SessionCreator
    let clock: any WallClock

    /// Signs a person in, always with a new session.
    /// - Throws: ``AppError`` `invalid` for a missing or malformed field; `unauthenticated` for a wrong email or
    ///   password, without saying which; `throttled` after too many failures, even with the right password;
    ///   `unavailable` when too many requests wait for a password hash.
    package func signIn(email typedEmail: String?, password typed: String?, device: DeviceInfo) async throws -> SignedIn
    {
        var check = FieldErrors<AccountMessage>()
        let email = check.email(typedEmail)
        let password = check.checkedPassword(typed)
        try check.finish()
        guard let email, let password else { throw AppError(.invalid, .emailMissing, field: "email") }
        let attempt = PasswordAttempt(emailKey: email.key, address: ClientNetwork.key(device.clientAddress))
        return try await passwords.verify(
            password, attempt, orThrow: AppError(.unauthenticated, .credentialsWrong)
        ) { match in
            try await open(match, device: device)
        }
    }

    private func open(_ match: PasswordVerifier.Match, device: DeviceInfo) async throws -> SignedIn {
        let credential = match.credential
        let (session, token) = sessions.newSession(of: credential.person, device: device)
        let now = clock.now
        let account = try await database.write { tx -> Account in
            // The password may have been changed while this one was checked.
            guard let account = try AccountStore.lockedAccount(credential.person, in: tx),
                try AccountStore.credential(of: credential.person, in: tx) == credential
            else { throw AppError(.unauthenticated, .credentialsWrong) }
            try passwords.accept(match, now: now, in: tx)
            try sessions.insert(session, token: token, in: tx)
            return account
        }
        return SignedIn(account: account, session: session, token: token)
    }
}
