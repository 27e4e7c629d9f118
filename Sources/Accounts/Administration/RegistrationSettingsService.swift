import Kernel
import Storage

/// The setting for who can create an account.
package struct RegistrationSettingsService: Sendable {
    let database: Database
    let states: RegistrationStateReader
    let audit: AuditLog
    let clock: any WallClock

    /// The setting, as an administrator sees it.
    package struct Details: Sendable, Equatable {
        package let mode: RegistrationPolicy.Mode
        /// Whether `HOMEWARD_REGISTRATION` prescribes the mode.
        package let isFixed: Bool
    }

    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator.
    package func details(for actor: Actor) async throws -> Details {
        try await database.read { tx in
            _ = try AdministratorPolicy.require(actor, in: tx)
            return try details(in: tx)
        }
    }

    func details(in tx: Transaction) throws -> Details {
        Details(mode: try mode(in: tx), isFixed: states.fixedMode != nil)
    }

    /// Stores the mode, which takes effect on every node within ``Limits/registrationStateMilliseconds``.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; `conflict` if the settings prescribe
    ///   the mode; `invalid` for none.
    package func change(to mode: RegistrationPolicy.Mode?, by change: Change) async throws -> Details {
        let now = clock.now
        return try await database.write { tx in
            let administrator = try AdministratorPolicy.require(change.actor, in: tx)
            guard states.fixedMode == nil else { throw AppError(.conflict, .registrationFixed) }
            guard let mode else { throw AppError(.invalid, .required, field: "registration") }
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: "registration") {
                guard try self.mode(in: tx) != mode else { return }
                try ServerSettingStore.set(.registration, to: mode.rawValue, now: now, in: tx)
                try audit.record(.changeRegistration, detail: mode.rawValue, by: administrator, now: now, in: tx)
                states.forgetAfterCommit(in: tx)
            }
            return Details(mode: try self.mode(in: tx), isFixed: false)
        }
    }

    private func mode(in tx: Transaction) throws -> RegistrationPolicy.Mode {
        switch try states.state(in: tx) {
        case .mode(let mode): mode
        case .setUpRequired: .closed
        }
    }
}
