import Accounts
import AdminWeb
import Objects
import Storage

extension Services {
    /// The version of the program.
    package static let version = "0.1.0"

    /// Whether a version that the server found is newer than this program, where it looks for updates.
    private func isNewer(_ version: String) -> Bool {
        guard settings.updateURL != nil, let other = ProgramVersion(version), let own = ProgramVersion(Self.version)
        else { return false }
        return own < other
    }

    /// What the administrator's pages say about this server.
    var facts: ServerFacts {
        let database =
            switch settings.database.dialect {
            case .sqlite: "SQLite"
            case .postgres: "PostgreSQL"
            }
        return ServerFacts(
            version: Self.version, url: settings.url, database: database, usesBucket: settings.objects.isBucket,
            sendsMail: accounts.sendsMail, isolatesPictures: pictureSandbox == .complete, isNewer: { isNewer($0) },
            providerSettings: ServerSettings.providerSettings)
    }
}
