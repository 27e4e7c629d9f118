import Kernel
import Storage

/// What an account without a password asks for instead: a fresh sign-in with one of its providers.
extension AccountService {
    func hasPassword(_ person: PersonID) async throws -> Bool {
        let credential = try await database.read { tx in try AccountStore.credential(of: person, in: tx) }
        guard let credential else { throw AppError.notFound }
        return credential.password != nil
    }

    /// Lets somebody on who shows that it is really them: by the password; by a fresh sign-in with a provider where
    /// there is none, which is used up by it.
    /// - Throws: ``AppError`` `invalid` with `fields.password` when they don't; `throttled` after too many wrong ones.
    func confirm(_ actor: Actor, password typed: String?) async throws {
        guard try await hasPassword(actor.person) else { return try await afterConfirmation(by: actor) { _, _, _ in } }
        var check = FieldCheck()
        let password = check.checkedPassword(typed)
        try check.finish()
        guard let password else { throw AppError(.invalid, .passwordMissing, field: "password") }
        try await confirmed(password, field: "password", by: actor) { { _, _, _ in } }
    }

    /// Does something that can't be undone, if whoever asks has just shown again who they are; once.
    /// - Throws: ``AppError`` `invalid` with `fields.password` when they haven't.
    func afterConfirmation(by actor: Actor, _ finish: @escaping Confirmation) async throws {
        let now = clock.now
        try await database.write { [self] tx in
            let account = try present(actor.person, in: tx)
            guard try AccountStore.credential(of: actor.person, in: tx)?.password == nil,
                try IdentityStore.takeConfirmation(actor.session, now: now, in: tx)
            else { throw AppError(.invalid, .confirmFirst, field: "password") }
            try finish(account, now, tx)
        }
    }
}
