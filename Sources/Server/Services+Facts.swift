import Accounts
import AdminWeb
import Objects
import Storage

extension Services {
    /// The version of the program.
    package static let version = "0.1.0"

    /// What the administrator's pages say about this server.
    var facts: ServerFacts {
        let database =
            switch settings.database.dialect {
            case .sqlite: "SQLite"
            case .postgres: "PostgreSQL"
            }
        return ServerFacts(
            version: Self.version, url: settings.url, database: database, usesBucket: settings.objects.isBucket,
            sendsMail: accounts.sendsMail)
    }
}
