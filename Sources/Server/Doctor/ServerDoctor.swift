import Accounts
package import AdminWeb
import AsyncHTTPClient
import Backups
import Foundation
import Jobs
import Kernel
import NIOCore
import NIOHTTP1
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
        async let address = addressFinding()
        async let objects = objectsFinding()
        var findings = await [address]
        if let proxy = untrustedProxy() { findings.append(.proxyNotTrusted(proxy)) }
        findings += await databaseFindings()
        findings.append(await backupFinding())
        findings += [await objects, diskFinding(), services.accounts.sendsMail ? .mailOn : .mailOff]
        return findings
    }

    /// Requests the public address, as a browser would.
    private func addressFinding() async -> Finding {
        let url = services.settings.url
        if ServerSettings.isThisComputer(URLComponents(string: url)?.host ?? "") { return .addressIsLocal(url) }
        do {
            let status = try await HTTPClient.withHTTPClient { client in
                try await client.execute(
                    HTTPClientRequest(url: "\(url)/health/live"), timeout: .seconds(Limits.healthCheckSeconds)
                ).status
            }
            return status == .ok ? .addressWorks(url) : .addressFails(url, reason: "\(status)")
        } catch {
            return .addressFails(url, reason: "\(error)")
        }
    }

    private func databaseFindings() async -> [Finding] {
        let name = services.facts.database
        do {
            let (deadJobCount, hasAdministrator) = try await services.database.read { tx in
                (try services.deadJobs.newest(in: tx).count, try services.accounts.hasAdministrator(in: tx))
            }
            let status = services.database.status
            let registration = await services.accounts.registrationStates.current()
            return [
                .databaseWorks(name),
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
        guard let free = try? DiskSpace.freeBytes(in: services.settings.dataFolder) else { return .diskLow(0) }
        return free < Limits.freeDiskBytes ? .diskLow(free) : .diskFree(free)
    }
}
