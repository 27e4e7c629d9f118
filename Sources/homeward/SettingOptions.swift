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

    /// Reads flags, environment and file. Files that root creates in the data folder get its owner.
    /// - Parameter fixed: values that override all of them.
    func settings(fixed: [Setting: String] = [:]) async throws -> ServerSettings {
        let settings = try readSettings(fixed: fixed)
        DataFolderOwner.keep(of: settings.dataFolder)
        return settings
    }

    /// Reads flags, environment and file, for commands that change nothing.
    func readSettings(fixed: [Setting: String] = [:]) throws -> ServerSettings {
        let flags = given.compactMap { setting, value in value.map { (setting, $0) } }
        let values = Dictionary(flags) { _, last in last }.merging(fixed) { _, fixed in fixed }
        var providers: [any ConfigProvider] = [Self.provider(values)]
        do {
            providers.append(
                EnvironmentVariablesProvider(
                    environmentVariables: try SettingNames.environment(ProcessInfo.processInfo.environment)))
        } catch {
            throw CommandError("\(error)")
        }
        let installed =
            try config == nil ? InstalledPackage.defaults(namesData: data != nil || fixed[.data] != nil) : nil
        if let file = config ?? installed?.file {
            providers.append(EnvironmentVariablesProvider(environmentVariables: try Self.settings(inFile: file)))
        }
        if let installed { providers.append(Self.provider([.data: installed.data])) }
        do {
            return try ServerSettings(ConfigReader(providers: providers))
        } catch {
            throw CommandError(error.description)
        }
    }

    private static func provider(_ values: [Setting: String]) -> InMemoryProvider {
        let values = values.map { setting, value in
            (AbsoluteConfigKey(ConfigKey(setting.key)), ConfigValue(.string(value), isSecret: false))
        }
        return InMemoryProvider(values: Dictionary(uniqueKeysWithValues: values))
    }

    private static func settings(inFile path: String) throws -> [String: String] {
        do {
            let file = try FileDescriptor.open(FilePath(path), .readOnly)
            defer { try? file.close() }
            return try SettingNames.file(try file.bytes(limit: Limits.settingsFileBytes + 1))
        } catch let failure as SettingsFile.Failure {
            throw CommandError("\(path): \(failure)")
        } catch {
            throw CommandError("\(path) can't be read: \(error)")
        }
    }

    /// Opens the store and the services.
    /// - Parameter opening: whether a missing store is created.
    func open(
        _ settings: ServerSettings, keyCheck: KeyCheck = .database, opening: Database.Opening
    ) async throws -> Services {
        let logger = startLog(settings)
        do {
            return try await Services.open(
                settings, executable: CurrentExecutable.path, logger: logger, keyCheck: keyCheck, opening: opening)
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
    func withKeys(opening: Database.Opening, _ work: (KeyFileService) async throws -> Void) async throws {
        let settings = try await settings()
        let logger = startLog(settings)
        do {
            let database = try await Database.open(
                settings.database, migrations: Services.migrations, logger: logger, clock: SystemClock(),
                opening: opening)
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
        return Logger(label: "homeward")
    }

    /// Opens the services, calls `work` and closes them.
    /// - Parameter opening: by default, a missing store is an error: a command with the wrong folder would otherwise
    ///   work on a new store.
    func withServices(
        keyCheck: KeyCheck = .database, opening: Database.Opening = .existing, _ work: (Services) async throws -> Void
    ) async throws {
        let services = try await open(try await settings(), keyCheck: keyCheck, opening: opening)
        do {
            try await work(services)
        } catch {
            await services.close()
            throw CommandError(Self.words(for: error))
        }
        await services.close()
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

extension FileDescriptor {
    /// Returns the bytes of a file or a pipe, up to `limit`.
    fileprivate func bytes(limit: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = try bytes.withUnsafeMutableBytes { buffer in
                try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            }
            guard count > 0 else { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }
}
