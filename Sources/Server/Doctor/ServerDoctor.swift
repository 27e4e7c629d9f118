import Accounts
package import AdminWeb
import AsyncHTTPClient
import Backups
import Foundation
import Jobs
import Kernel
import MapFiles
import NIOCore
import NIOHTTP1
import Notifications
import Objects
import Storage
import WebCore

/// Examines a server: its address, its stores and what waits for an administrator.
package struct ServerDoctor: ServerInspector {
    private let services: Services
    /// Returns the address of a proxy that isn't trusted; `nil` for none.
    private let untrustedProxy: @Sendable () -> String?

    /// - Parameter untrustedProxy: what the running server saw; without one, proxies aren't checked.
    package init(_ services: Services, untrustedProxy: @escaping @Sendable () -> String? = { nil }) {
        self.services = services
        self.untrustedProxy = untrustedProxy
    }

    /// Returns the findings, those about the address and the object store at the same time.
    package func findings() async -> [Finding] {
        async let address = addressFindings()
        async let objects = objectsFinding()
        async let push = pushFinding()
        var findings = await address
        if let https = httpsFinding() { findings.append(https) }
        if let proxy = untrustedProxy(), !findings.contains(.proxyNotNamed) { findings.append(.proxyNotTrusted(proxy)) }
        findings += await databaseFindings()
        findings.append(await backupFinding())
        findings += [await objects, diskFinding(), services.accounts.sendsMail ? .mailOn : .mailOff, mapFinding]
        if let push = await push { findings.append(push) }
        return findings
    }

    /// Requests the public address, as a browser would, and sees how the client's address arrives.
    private func addressFindings() async -> [Finding] {
        let url = services.settings.url
        do {
            let (status, body) = try await HTTPClient.withHTTPClient { client in
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
            services.settings.tls == nil && services.settings.url.hasPrefix("https:") ? .proxyHidesClients : nil
        }
    }

    /// Where the map comes from. A file that can't be used prevents the start.
    private var mapFinding: Finding {
        let tiles = services.settings.site.tiles
        if let file = tiles.file { return .mapFromFile(URL(filePath: file.path).lastPathComponent) }
        guard tiles.url != nil else { return .mapMissing }
        return .mapFromService(tiles.origin ?? services.settings.url)
    }

    /// Whether the address is encrypted; `nil` for one of this computer only.
    private func httpsFinding() -> Finding? {
        let url = services.settings.url
        guard !isLocal else { return nil }
        return url.hasPrefix("https:") ? .httpsOn : .httpsMissing
    }

    private var isLocal: Bool {
        ServerSettings.isThisComputer(URLComponents(string: services.settings.url)?.host ?? "")
    }

    /// Requests the push services of the newest subscriptions; `nil` if these can't be read.
    private func pushFinding() async -> Finding? {
        guard isLocal || services.settings.url.hasPrefix("https:") else { return .pushNeedsHTTPS }
        do {
            guard let failure = try await services.notifications.serviceCheck.failure() else { return .pushWorks }
            return .pushFails(host: failure.host, reason: failure.reason)
        } catch {
            // Another finding says that the database can't be read.
            return nil
        }
    }

    private func databaseFindings() async -> [Finding] {
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
        let folder = services.settings.dataFolder
        let readable = Self.isPrivate(folder) ? [] : KeyFile.allCases.filter { !Self.isPrivate("\(folder)/\($0.name)") }
        return readable.isEmpty ? .keysSafe : .keysReadable(readable.map(\.name))
    }

    /// Whether only the owner of a file or folder has access to it.
    private static func isPrivate(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & (S_IRWXG | S_IRWXO) == 0
    }

    private static let millisecondsPerSecond: UInt64 = 1_000

    private func backupFinding() async -> Finding {
        guard let status = try? await services.backupStatus.status(), let last = status.last else {
            return .backupMissing
        }
        guard status.isOK else { return .backupFailed(last.reason ?? "") }
        let secondsPerHour = 3_600.0
        let hours = Int((status.ageSeconds(at: services.clock.now) ?? 0) / secondsPerHour)
        return hours < Limits.backupAgeHours ? .backupFresh(hours: hours) : .backupOld(hours: hours)
    }

    private func objectsFinding() async -> Finding {
        do {
            try await services.objects.check()
            return .objectsWork
        } catch {
            return .objectsFail("\(error)")
        }
    }

    private func diskFinding() -> Finding {
        guard let free = try? DiskSpace(of: services.settings.dataFolder).freeBytes else { return .diskLow(0) }
        return free < Limits.freeDiskBytes ? .diskLow(free) : .diskFree(free)
    }
}
