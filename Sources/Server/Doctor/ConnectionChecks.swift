import Accounts
import AdminWeb
import Kernel
import Logging
import MapServices
import Notifications
import Objects
import Storage
import WebCore

/// Connects to the services that the settings name, as the server does, with a time limit for each. Nothing is sent to
/// people and nothing is changed.
struct ConnectionChecks: Sendable {
    let settings: ServerSettings
    let logger: Logger
    var seconds = Limits.connectionCheckSeconds

    /// Signs in to the mail server, or looks for the mail command.
    func mail() async -> Finding {
        switch settings.mail {
        case nil: return .mailOff
        case .smtp(let smtp):
            do {
                try await within { try await SMTPMailer(smtp).check(seconds: seconds) }
                return .mailServerWorks(smtp.server.host)
            } catch {
                return .mailFails((error as? MailFailure)?.reason ?? "\(error)")
            }
        case .command(let command):
            guard let mailer = try? SendmailMailer(command: command) else { return .mailFails("\(command)") }
            return mailer.isExecutable
                ? .mailCommandExists(mailer.executable)
                : .mailFails("\(mailer.executable) doesn’t exist, or this user can’t run it")
        }
    }

    /// Requests an address in the ocean. The result doesn't matter.
    func geocoder() async -> Finding? {
        guard let url = settings.geocoderURL else { return nil }
        return await finding(.geocoderWorks, Finding.geocoderFails) {
            guard let ocean = Coordinate(latitude: 0, longitude: 0) else { return }
            _ = try await NominatimClient(url: url, site: settings.site.url).address(of: ocean)
        }
    }

    /// Requests distances between two points, which may be off the router's map.
    func router() async -> Finding? {
        guard let url = settings.routerURL else { return nil }
        return await finding(.routerWorks, Finding.routerFails) {
            let points = [0.0, 1.0].compactMap { Coordinate(latitude: $0, longitude: 0) }
            _ = try await OSRMClient(url: url, site: settings.site.url).distances(between: points)
        }
    }

    /// Lists one key of the store of photos and archived positions.
    /// - Parameter hasStore: a folder without a store is created when the server starts.
    func objects(hasStore: Bool) async -> Finding? {
        guard hasStore || settings.objects.isBucket else { return nil }
        return await store(settings.objects, .objectsWork, Finding.objectsFail)
    }

    /// Lists one key of the store of backups. The first backup creates a missing folder.
    func backups() async -> Finding? {
        guard let address = settings.backups.address else { return nil }
        return await store(address, .backupStorageWorks, Finding.backupStorageFails)
    }

    func hologramBucket() async -> Finding? {
        guard let address = settings.hologram.bucket else { return nil }
        return await store(address, keys: .external, .hologramBucketWorks, Finding.hologramBucketFails)
    }

    /// Requests the push services, with the time limit of a notification; `nil` if the subscriptions can't be read,
    /// which another finding says.
    /// - Parameter isLocal: whether the address is only this computer's, where browsers need no https.
    func push(_ database: Database?, isLocal: Bool) async -> Finding? {
        guard isLocal || settings.url.hasPrefix("https:") else { return .pushNeedsHTTPS }
        let transport = HTTPPushTransport(rewrite: settings.push.rewrite)
        do {
            switch try await PushServiceCheck(hosts: settings.push.hosts, transport: transport).result(database) {
            case .untried: return .pushUntried
            case .works: return .pushWorks
            case .failure(let host, let reason): return .pushFails(host: host, reason: reason)
            }
        } catch {
            return nil
        }
    }

    private func store(
        _ address: ObjectStoreAddress, keys: ObjectKey.Rule = .own, _ works: Finding, _ fails: (String) -> Finding
    ) async -> Finding {
        await finding(works, fails) {
            try await ObjectStores.open(
                address, credentials: settings.objectCredentials, keys: keys, creates: false, logger: logger
            ).check()
        }
    }

    private func finding(
        _ works: Finding, _ fails: (String) -> Finding, _ work: @escaping @Sendable () async throws -> Void
    ) async -> Finding {
        do {
            try await within(work)
            return works
        } catch is MapServiceRefusal {
            // The service responded: it only refused the point, which isn't on its map.
            return works
        } catch {
            return fails("\(error)")
        }
    }

    private struct Late: Error, CustomStringConvertible {
        let seconds: Int
        var description: String { "no response within \(seconds) seconds" }
    }

    private func within<T: Sendable>(_ work: @escaping @Sendable () async throws -> T) async throws -> T {
        try await withThrowingTaskGroup(of: T.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: .seconds(seconds))
                throw Late(seconds: seconds)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw Late(seconds: seconds) }
            return first
        }
    }
}
