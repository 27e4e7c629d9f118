import Kernel
import Storage

/// The providers that people sign in with, for administrators.
package struct ProviderAdministrationService: Sendable {
    let database: Database
    let catalog: ProviderCatalog
    let inspector: ProviderInspector
    let audit: AuditLog
    let clock: any WallClock
    private static let throttle = Throttle(
        scope: "test-provider", limit: Limits.providerTests, windowSeconds: Limits.providerTestSeconds)

    /// A provider that administrators can set up.
    package struct Details: Sendable, Equatable {
        package let name: ProviderName
        package let label: String
        /// The address to register at the provider.
        package let redirectURI: String
        /// `nil` where the provider isn't set up.
        package let issuer: String?
    }

    /// Returns all providers, also those that aren't set up, in the order in which pages show them.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator.
    package func list(for actor: Actor) async throws -> [Details] {
        try await database.read { tx in _ = try AdministratorPolicy.require(actor, in: tx) }
        return ProviderName.allCases.map { name in
            let settings = try? catalog.settings(of: name)
            return Details(
                name: name, label: settings?.label ?? name.brand, redirectURI: catalog.redirectURI(of: name),
                issuer: settings?.issuer)
        }
    }

    /// Asks the provider for what it publishes, and whether it accepts this server as its client. No one is signed in.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; `notFound` for a provider that isn't
    ///   set up; `throttled` after ``Limits/providerTests``.
    package func test(_ name: ProviderName, by actor: Actor) async throws -> [ProviderFinding] {
        let now = clock.now
        let settings = try await database.write { tx in
            let administrator = try AdministratorPolicy.require(actor, in: tx)
            let settings = try catalog.settings(of: name)
            try Self.throttle.fail(actor.person.description, now: now, in: tx)
            try audit.record(.testProvider, detail: name.rawValue, by: administrator, now: now, in: tx)
            return settings
        }
        return await inspector.findings(settings)
    }
}
