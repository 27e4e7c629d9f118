import ArgumentParser
import Configuration
import Foundation
import Kernel
import Logging
import Server
import Storage
import SystemPackage

/// The settings as flags, one for each of `Setting.all`.
struct SettingOptions: ParsableArguments {
    @Option(help: "A file with settings, one HOMEWARD_NAME=value a line.")
    var config: String?

    @Option(help: ArgumentHelp(Setting.listen.help))
    var listen: String?

    @Option(help: ArgumentHelp(Setting.url.help))
    var url: String?

    @Option(help: ArgumentHelp(Setting.data.help))
    var data: String?

    @Option(help: ArgumentHelp(Setting.database.help))
    var database: String?

    @Option(help: ArgumentHelp(Setting.objects.help))
    var objects: String?

    @Option(help: ArgumentHelp(Setting.objectsAccessKey.help))
    var objectsAccessKey: String?

    @Option(help: ArgumentHelp(Setting.objectsSecretKey.help))
    var objectsSecretKey: String?

    @Option(help: ArgumentHelp(Setting.backups.help))
    var backups: String?

    @Option(help: ArgumentHelp(Setting.backupHours.help))
    var backupHours: String?

    @Option(help: ArgumentHelp(Setting.backupsKept.help))
    var backupsKept: String?

    @Option(help: ArgumentHelp(Setting.tlsCertificate.help))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp(Setting.tlsKey.help))
    var tlsKey: String?

    @Option(help: ArgumentHelp(Setting.trustedProxies.help))
    var trustedProxies: String?

    @Option(help: ArgumentHelp(Setting.mail.help))
    var mail: String?

    @Option(help: ArgumentHelp(Setting.mapFile.help))
    var mapFile: String?

    @Option(help: ArgumentHelp(Setting.tilesURL.help))
    var tilesUrl: String?

    @Option(help: ArgumentHelp(Setting.tilesAttribution.help))
    var tilesAttribution: String?

    @Option(help: ArgumentHelp(Setting.currency.help))
    var currency: String?

    @Option(help: ArgumentHelp(Setting.welcomeAmount.help))
    var welcomeAmount: String?

    @Option(help: ArgumentHelp(Setting.registration.help))
    var registration: String?

    @Option(help: ArgumentHelp(Setting.registrationsPerHour.help))
    var registrationsPerHour: String?

    @Option(help: ArgumentHelp(Setting.limitFactor.help))
    var limitFactor: String?

    @Option(help: ArgumentHelp(Setting.picturesPerAccount.help))
    var picturesPerAccount: String?

    @Option(help: ArgumentHelp(Setting.fixesPerAccount.help))
    var fixesPerAccount: String?

    @Option(help: ArgumentHelp(Setting.geocoderURL.help))
    var geocoderUrl: String?

    @Option(help: ArgumentHelp(Setting.routerURL.help))
    var routerUrl: String?

    @Option(help: ArgumentHelp(Setting.updateURL.help))
    var updateUrl: String?

    @Option(help: ArgumentHelp(Setting.drainSeconds.help))
    var drainSeconds: String?

    @Option(help: ArgumentHelp(Setting.logLevel.help))
    var logLevel: String?

    @Option(help: ArgumentHelp(Setting.logFormat.help))
    var logFormat: String?

    @OptionGroup var providers: ProviderOptions
    @OptionGroup var delivery: DeliveryOptions

    private var given: [(setting: Setting, value: String?)] {
        providers.given + delivery.given + [
            (.listen, listen), (.url, url), (.data, data), (.database, database), (.objects, objects),
            (.objectsAccessKey, objectsAccessKey), (.objectsSecretKey, objectsSecretKey),
            (.backups, backups), (.backupHours, backupHours), (.backupsKept, backupsKept),
            (.tlsCertificate, tlsCertificate), (.tlsKey, tlsKey), (.trustedProxies, trustedProxies), (.mail, mail),
            (.mapFile, mapFile), (.tilesURL, tilesUrl), (.tilesAttribution, tilesAttribution), (.currency, currency),
            (.welcomeAmount, welcomeAmount), (.registration, registration),
            (.registrationsPerHour, registrationsPerHour), (.limitFactor, limitFactor),
            (.picturesPerAccount, picturesPerAccount),
            (.fixesPerAccount, fixesPerAccount),
            (.geocoderURL, geocoderUrl), (.routerURL, routerUrl), (.updateURL, updateUrl),
            (.drainSeconds, drainSeconds), (.logLevel, logLevel), (.logFormat, logFormat),
        ]
    }

    /// Reads flags, environment and file.
    /// - Parameter fixed: values that override all of them.
    func settings(fixed: [Setting: String] = [:]) async throws -> ServerSettings {
        var flags: [AbsoluteConfigKey: ConfigValue] = [:]
        for (setting, value) in given {
            if let value {
                flags[AbsoluteConfigKey(ConfigKey(setting.key))] = ConfigValue(.string(value), isSecret: false)
            }
        }
        for (setting, value) in fixed {
            flags[AbsoluteConfigKey(ConfigKey(setting.key))] = ConfigValue(.string(value), isSecret: false)
        }
        var providers: [any ConfigProvider] = [InMemoryProvider(values: flags), EnvironmentVariablesProvider()]
        let installed =
            try config == nil ? InstalledPackage.defaults(namesData: data != nil || fixed[.data] != nil) : nil
        if let file = config ?? installed?.file {
            do {
                providers.append(try await EnvironmentVariablesProvider(environmentFilePath: FilePath(file)))
            } catch {
                throw CommandError("\(file) can't be read as settings: \(error)")
            }
        }
        if let installed {
            let key = AbsoluteConfigKey(ConfigKey(Setting.data.key))
            providers.append(InMemoryProvider(values: [key: ConfigValue(.string(installed.data), isSecret: false)]))
        }
        do {
            let settings = try ServerSettings(ConfigReader(providers: providers))
            DataFolderOwner.keep(of: settings.dataFolder)
            return settings
        } catch {
            throw CommandError(error.description)
        }
    }

    /// Opens the store and the services.
    func open(_ settings: ServerSettings, keyCheck: KeyCheck = .database) async throws -> Services {
        let logger = startLog(settings)
        do {
            return try await Services.open(
                settings, executable: CurrentExecutable.path, logger: logger, keyCheck: keyCheck)
        } catch {
            throw CommandError(Self.words(for: error))
        }
    }

    /// Opens the store and the services as soon as the database can be reached.
    func openWhenReady(_ settings: ServerSettings) async throws -> Services {
        let logger = startLog(settings)
        do {
            return try await DatabaseWaiter(settings, logger: logger).open {
                try await Services.open(settings, executable: CurrentExecutable.path, logger: logger)
            }
        } catch {
            throw CommandError(Self.words(for: error))
        }
    }

    /// Opens the store without services, for work with its keys.
    func withKeys(_ work: (KeyFileService) async throws -> Void) async throws {
        let settings = try await settings()
        let logger = startLog(settings)
        do {
            let database = try await Database.open(
                settings.database, migrations: Services.migrations, logger: logger, clock: SystemClock())
            do {
                try await work(KeyFileService(settings, database: database))
            } catch {
                await database.close()
                throw error
            }
            await database.close()
        } catch {
            throw CommandError(Self.words(for: error))
        }
    }

    /// Sends the log to standard error.
    func startLog(_ settings: ServerSettings) -> Logger {
        let (format, level) = (settings.logFormat, settings.logLevel)
        LoggingSystem.bootstrap { label in format.handler(label: label, level: level) }
        let logger = Logger(label: "homeward")
        for name in Self.unknownNames {
            logger.warning("There is no such setting", metadata: ["name": "\(name)"])
        }
        return logger
    }

    /// Opens the services, calls `work` and closes them.
    func withServices(
        keyCheck: KeyCheck = .database, _ work: (Services) async throws -> Void
    ) async throws {
        let services = try await open(try await settings(), keyCheck: keyCheck)
        do {
            try await work(services)
        } catch {
            await services.close()
            throw CommandError(Self.words(for: error))
        }
        await services.close()
    }

    // A mistyped name would otherwise have no effect.
    private static var unknownNames: [String] {
        let known = Set(Setting.all.map(\.name) + [BackupKeyOptions.variable])
        return ProcessInfo.processInfo.environment.keys.sorted().filter { name in
            name.hasPrefix("HOMEWARD_") && !name.hasPrefix("HOMEWARD_TEST_") && !known.contains(name)
        }
    }

    static func words(for error: any Error) -> String {
        guard let error = error as? AppError else { return "\(error)" }
        return ([error.message] + error.fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })
            .joined(separator: "\n  ")
    }
}

extension Setting {
    var help: String { standard.isEmpty ? meaning : "\(meaning) (default: \(standard))" }
}

/// The path of this program: the server starts it again for each picture.
enum CurrentExecutable {
    static var path: String { Bundle.main.executablePath ?? CommandLine.arguments.first ?? "homeward" }

    static var folder: String { URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path }
}

/// The output of a command; the log goes to standard error.
enum Output {
    /// Writes beside the output, for people.
    static func note(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8)) }

    static func line(_ text: String = "") { try? FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8)) }
}
