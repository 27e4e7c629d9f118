package import Kernel
package import Storage

/// Reads in which apps a person has data.
package struct UsedAppsReader: Sendable {
    let dataHandlers: [any AccountDataHandler]

    /// Returns the apps in which a person has data.
    package func usedApps(of person: PersonID, in tx: Transaction) throws -> Set<AppName> {
        Set(try dataHandlers.compactMap { try $0.usedApp(by: person, in: tx) })
    }
}
