import Accounts
package import AdminWeb
import AsyncHTTPClient
import Backups
import Foundation
import Jobs
package import Kernel
package import Logging
import MapFiles
import NIOCore
import NIOHTTP1
import Notifications
import Objects
package import Pictures
import Storage
import WebCore

/// Examines a server: its address, its stores, the services that it uses and what waits for an administrator. Changes
/// nothing.
package struct ServerDoctor: ServerInspector {
    private let settings: ServerSettings
    /// The store and the services; otherwise why they can't be opened.
    private let store: Result<Services, StoreProblem>
    private let pictureSandbox: PictureSandbox
    private let connections: ConnectionChecks
    /// Returns the address of a proxy that isn't trusted; `nil` for none.
    private let untrustedProxy: @Sendable () -> String?

    private struct StoreProblem: Error {
        let finding: Finding
    }

    /// - Parameter untrustedProxy: what the running server saw; without one, proxies aren't checked.
    package init(_ services: Services, untrustedProxy: @escaping @Sendable () -> String? = { nil }) {
        settings = services.settings
        store = .success(services)
        pictureSandbox = services.pictureSandbox
        connections = ConnectionChecks(settings: services.settings, logger: services.logger)
        self.untrustedProxy = untrustedProxy
    }

    /// Examines a server whose store can't be opened.
    private init(_ settings: ServerSettings, _ problem: Finding, pictureSandbox: PictureSandbox, logger: Logger) {
        self.settings = settings
        store = .failure(StoreProblem(finding: problem))
        self.pictureSandbox = pictureSandbox
        connections = ConnectionChecks(settings: settings, logger: logger)
        untrustedProxy = { nil }
    }

    /// Returns the findings about a server that runs or is stopped, in another process than it. Creates no store.
    package static func findings(
        _ settings: ServerSettings, executable: String, clock: any WallClock = SystemClock(),
        pictureSandbox: PictureSandbox = .current, logger: Logger
    ) async -> [Finding] {
        let services: Services
        do {
            services = try await Services.open(
                settings, executable: executable, clock: clock, logger: logger, opening: .unchanged,
                pictureSandbox: pictureSandbox)
        } catch {
            let problem = finding(for: error)
            return await ServerDoctor(settings, problem, pictureSandbox: pictureSandbox, logger: logger).findings()
        }
        let findings = await ServerDoctor(services).findings()
        await services.close()
        return findings
    }

    private static func finding(for error: any Error) -> Finding {
        switch error {
        case StorageError.missing(let place): .storeMissing(place)
        case StorageError.schemaNewer(let titles): .schemaNewer(titles.first ?? "")
        case StorageError.migrationsPending(let title): .schemaDiffers(title)
        default: .cannotStart((error as? AppError)?.message ?? "\(error)")
        }
    }

    private var services: Services? { try? store.get() }

    /// Returns the findings. All connections are tried at the same time.
    package func findings() async -> [Finding] {
        async let address = addressFindings()
        async let objects = connections.objects(hasStore: services != nil)
        async let backups = connections.backups()
        async let hologram = connections.hologramBucket()
        async let mail = connections.mail()
        async let geocoder = connections.geocoder()
        async let router = connections.router()
        async let push = connections.push(services?.database, isLocal: isLocal)
        var findings = await address
        if let https = httpsFinding() { findings.append(https) }
        if let proxy = untrustedProxy(), !findings.contains(.proxyNotNamed) { findings.append(.proxyNotTrusted(proxy)) }
        findings += await storeFindings()
        let optional: [Finding?] = [
            await backups, await objects, diskFinding(), await mail, mapFinding, await geocoder, await router,
            await push, await hologram,
        ]
        return findings + optional.compactMap(\.self) + [pictureFinding]
    }

    private var pictureFinding: Finding {
        switch pictureSandbox {
        case .complete: .picturesIsolated
        case .withoutSeccomp: .picturesWithoutSeccomp
        }
    }

    private func storeFindings() async -> [Finding] {
        switch store {
        case .success(let services): await databaseFindings(services) + [await backupFinding(services)]
        case .failure(let problem): [problem.finding]
        }
    }

    /// Requests the public address, as a browser would, and sees how the client's address arrives.
    private func addressFindings() async -> [Finding] {
        let url = settings.url
        do {
            // A stopped server is reported at once.
            var configuration = HTTPClient.Configuration()
            configuration.connectionPool.retryConnectionEstablishment = false
            let (status, body) = try await HTTPClient.withHTTPClient(configuration: configuration) { client in
                let response = try await client.execute(
                    HTTPClientRequest(url: "\(url)/health/live"), timeout: .seconds(Limits.healthCheckSeconds))
                return (response.status, try await response.body.collect(upTo: Limits.healthCheckBytes))
            }
            guard status == .ok, let health = try? JSONDecoder().decode(Health.self, from: Data(body.readableBytesView))
            else {
                let reason = status == .ok ? "the response isn't from Homeward" : "\(status)"
                return [isLocal ? .addressIsLocal(url) : .addressFails(url, reason: reason)]
            }
            let proxy = proxyFinding(health.client)
            return [isLocal ? .addressIsLocal(url) : .addressWorks(url)] + [proxy].compactMap(\.self)
        } catch {
            // The command also works while the server is stopped.
            return [isLocal ? .addressIsLocal(url) : .addressFails(url, reason: "\(error)")]
        }
    }

    private struct Health: Decodable {
        let client: ClientAddressSource
    }

    /// The finding about the reverse proxy; `nil` without one.
    private func proxyFinding(_ source: ClientAddressSource) -> Finding? {
        switch source {
        case .proxy: .proxyTrusted
        case .untrustedProxy: .proxyNotNamed
        // A server without a certificate behind an https address has a proxy.
        case .connection:
            settings.tls == nil && settings.url.hasPrefix("https:") ? .proxyHidesClients : nil
        }
    }

    /// Where the map comes from. A file that can't be used prevents the start.
    private var mapFinding: Finding {
        let tiles = settings.site.tiles
        if let file = tiles.file { return .mapFromFile(URL(filePath: file.path).lastPathComponent) }
        guard tiles.url != nil else { return .mapMissing }
        return .mapFromService(tiles.origin ?? settings.url)
    }

    /// Whether the address is encrypted; `nil` for one of this computer only.
    private func httpsFinding() -> Finding? {
        let url = settings.url
        guard !isLocal else { return nil }
        return url.hasPrefix("https:") ? .httpsOn : .httpsMissing
    }

    private var isLocal: Bool {
        ServerSettings.isThisComputer(URLComponents(string: settings.url)?.host ?? "")
    }

    private func databaseFindings(_ services: Services) async -> [Finding] {
        let name = services.facts.database
        do {
            let (schema, keys, deadJobCount, hasAdministrator) = try await services.database.read { tx in
                (
                    try SchemaState(of: Services.migrations, in: tx), try services.keys.states(in: tx),
                    try services.deadJobs.newest(in: tx).count, try services.accounts.hasAdministrator(in: tx)
                )
            }
            let status = services.database.status
            let registration = await services.accounts.registrationStates.current()
            return [
                .databaseWorks(name), Self.schemaFinding(schema), keyFinding(keys),
                status.isClockRight
                    ? .clockRight
                    : .clockWrong(seconds: Int(status.clockMilliseconds.magnitude / Self.millisecondsPerSecond)),
                deadJobCount == 0 ? .jobsFine : .jobsFailed(deadJobCount),
                hasAdministrator ? .administratorExists : .administratorMissing,
                registration == .mode(.open) ? .registrationOpen : .registrationRestricted,
            ]
        } catch {
            return [.databaseFails("\(error)")]
        }
    }

    private static func schemaFinding(_ state: SchemaState) -> Finding {
        switch state {
        case .current: .schemaCurrent
        case .newer(let titles): .schemaNewer(titles.first ?? "")
        case .different(let title): .schemaDiffers(title)
        }
    }

    /// Compares the key files with the database, and examines who can read them.
    private func keyFinding(_ states: [KeyFile: KeyFileState]) -> Finding {
        let others = KeyFile.allCases.filter { states[$0] != .matches }
        guard others.isEmpty else { return .keysDiffer(others.map(\.name)) }
        let folder = settings.dataFolder
        let readable = Self.isPrivate(folder) ? [] : KeyFile.allCases.filter { !Self.isPrivate("\(folder)/\($0.name)") }
        return readable.isEmpty ? .keysSafe : .keysReadable(readable.map(\.name))
    }

    /// Whether only the owner of a file or folder has access to it.
    private static func isPrivate(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & (S_IRWXG | S_IRWXO) == 0
    }

    private static let millisecondsPerSecond: UInt64 = 1_000

    private func backupFinding(_ services: Services) async -> Finding {
        guard let status = try? await services.backupStatus.status(), let last = status.last else {
            return .backupMissing
        }
        guard status.isOK else { return .backupFailed(last.reason ?? "") }
        let secondsPerHour = 3_600.0
        let hours = Int((status.ageSeconds(at: services.clock.now) ?? 0) / secondsPerHour)
        return hours < Limits.backupAgeHours ? .backupFresh(hours: hours) : .backupOld(hours: hours)
    }

    /// The free space; `nil` where there is no data folder yet.
    private func diskFinding() -> Finding? {
        guard let free = try? DiskSpace(of: settings.dataFolder).freeBytes else {
            return services == nil ? nil : .diskLow(0)
        }
        return free < Limits.freeDiskBytes ? .diskLow(free) : .diskFree(free)
    }
}
