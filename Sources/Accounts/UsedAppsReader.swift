import Kernel
import Storage

/// Reads in which apps a person has data.
package struct UsedAppsReader: Sendable {
    let database: Database
    let dataHandlers: [any AccountDataHandler]

    /// Returns the apps in which the actor has data.
    package func usedApps(of actor: Actor) async throws -> Set<AppName> {
        try await database.read { tx in
            Set(try dataHandlers.compactMap { try $0.usedApp(by: actor.person, in: tx) })
        }
    }
}
