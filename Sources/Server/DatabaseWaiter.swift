import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Kernel
package import Logging
import NIOCore
import ServiceLifecycle
import Storage
import WebCore

/// Waits at start-up until the database server can be reached, without a time limit. Both can then be started at the
/// same time, and the server recovers alone after a power failure.
///
/// Until then, the address answers `/health/live` with 200 and every other path with 503.
package struct DatabaseWaiter: Sendable {
    private let settings: ServerSettings
    private let logger: Logger
    private let clock: any WallClock

    /// The wait begins with ``open(_:)``.
    package init(_ settings: ServerSettings, logger: Logger, clock: any WallClock = SystemClock()) {
        self.settings = settings
        self.logger = logger
        self.clock = clock
    }

    /// Calls `work` until it fails for another reason than an unreachable database.
    /// - Throws: other errors of `work`; an error when the address can't be bound.
    package func open<T: Sendable>(_ work: @Sendable () async throws -> T) async throws -> T {
        do {
            return try await work()
        } catch {
            guard Self.isAbsence(error) else { throw error }
            logWait(error)
        }
        let group = ServiceGroup(services: [try application()], logger: logger)
        let running = Task { try await group.run() }
        do {
            let result = try await keepTrying(work)
            await group.triggerGracefulShutdown()
            _ = await running.result
            return result
        } catch {
            await group.triggerGracefulShutdown()
            _ = await running.result
            throw error
        }
    }

    private func keepTrying<T: Sendable>(_ work: @Sendable () async throws -> T) async throws -> T {
        var milliseconds = Limits.databaseWaitMilliseconds
        var loggedAt = clock.now
        while true {
            try await Task.sleep(for: .milliseconds(milliseconds))
            milliseconds = min(milliseconds * 2, Limits.databaseWaitMillisecondsMaximum)
            do {
                return try await work()
            } catch {
                guard Self.isAbsence(error) else { throw error }
                guard clock.now.seconds(since: loggedAt) >= Double(Limits.databaseWaitLogSeconds) else { continue }
                loggedAt = clock.now
                logWait(error)
            }
        }
    }

    private func logWait(_ error: any Error) {
        logger.warning("Waiting for the database", metadata: ["reason": "\(error)"])
    }

    private static func isAbsence(_ error: any Error) -> Bool {
        if case StorageError.unreachable = error { return true }
        return (error as? AppError)?.code == .unavailable
    }

    private func application() throws -> some ApplicationProtocol {
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            let isLive = request.uri.path == "/health/live"
            var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
            if !isLive { headers[.retryAfter] = "\(Limits.databaseWaitMillisecondsMaximum / 1_000)" }
            let body = #"{"status":"\#(isLive ? "ok" : "waiting for the database")"}"#
            return Response(
                status: isLive ? .ok : .serviceUnavailable, headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
        }
        let certificates = try settings.tls.map { try CertificateFiles($0, logger: logger) }
        return Application(
            responder: responder,
            server: Server.builder(
                certificates, proxies: settings.site.trustedProxies, clock: clock, logger: logger),
            configuration: ApplicationConfiguration(address: .hostname(settings.host, port: settings.port)),
            logger: logger
        )
    }
}
