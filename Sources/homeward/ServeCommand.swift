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
        try await options.withServices(opening: .creating) { services in
            Output.line("\(services.settings.database) is up to date.")
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
