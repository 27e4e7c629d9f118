import ArgumentParser
import Server
import Storage

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Runs the server until SIGTERM or SIGINT."
    )

    @OptionGroup var options: SettingOptions

    func run() async throws {
        let settings = try await options.settings()
        let services = try await options.openWhenReady(settings)
        let server = try Server(services)
        do {
            try await services.checkObjects()
        } catch {
            await services.close()
            throw CommandError(SettingOptions.words(for: error))
        }
        do {
            // Scripts wait for this line and read the address from it.
            try await server.run {
                Output.line("Homeward is at \(settings.localURL)")
                await services.logSetupCode()
            }
        } catch {
            throw CommandError(SettingOptions.words(for: error))
        }
    }
}

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Brings the database's schema up to date, as serve does when it starts."
    )

    @OptionGroup var options: SettingOptions

    func run() async throws {
        try await options.withServices { services in Output.line("\(services.settings.database) is up to date.") }
    }
}

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Writes a copy of the SQLite database to a new file, while the server goes on.",
        discussion: """
            Photos, archived positions and keys are files of their own: copy the folder of HOMEWARD_OBJECTS, secret.key, push.key and \
            ledger.key from HOMEWARD_DATA after the database. A PostgreSQL database is backed up by PostgreSQL's own means.
            """
    )

    @Argument(help: "The new file.")
    var file: String

    @OptionGroup var options: SettingOptions

    func run() async throws {
        try await options.withServices { services in
            try await services.database.backup(to: file)
            Output.line("\(file) holds a copy of \(services.settings.database).")
        }
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replaces the SQLite database's content by a backup's. The server can run or be stopped.",
        discussion: """
            Put the key files that belong to the backup into HOMEWARD_DATA first; a backup that was made with others is refused. \
            A copy of the present content is put beside the database first. Open pages show the restored content. \
            `homeward fixes rebuild` then brings back the positions that came in since the backup.
            """
    )

    @Argument(help: "The backup.")
    var file: String

    @Flag(help: "Signs everyone out: sessions that were ended since the backup would work again.")
    var endSessions = false

    @OptionGroup var options: SettingOptions

    func run() async throws {
        try await options.withServices(keyCheck: .backup) { services in
            let copy = try await services.restore(from: file, endsSessions: endSessions)
            Output.line("The content of \(file) is in place. What was there before is in \(copy).")
        }
    }
}

struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi", abstract: "Prints the description of the HTTP interface (OpenAPI, YAML)."
    )

    func run() throws {
        guard let text = EmbeddedFile.contents(of: "openapi.yaml") else {
            throw CommandError("This program was built without its description.")
        }
        Output.line(String(decoding: text, as: UTF8.self))
    }
}
