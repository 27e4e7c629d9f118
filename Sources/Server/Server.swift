import Accounts
import AccountsWeb
import AdminWeb
import CarrepsaWeb
import Family
import FamilyWeb
package import Hummingbird
import HummingbirdCore
import Jobs
import Kernel
import Logging
import NIOCore
import Notifications
package import ServiceLifecycle
import TrackingWeb
import UnixSignals
package import WebCore

/// The composition root: assembles and runs the whole product.
package struct Server: Sendable {
    private static let connectionBacklog = 1_024

    package let services: Services
    package let web: Web
    package let responder: RootResponder
    /// The certificate of the built-in HTTPS; `nil` for plain HTTP.
    private let certificates: CertificateFiles?
    let sampler: MetricSampler

    /// - Parameter onRender: called for each rendered page.
    /// - Throws: when a template, the certificate or its key can't be used.
    package init(_ services: Services, onRender: RenderObserver? = nil) throws {
        self.services = services
        if services.pictureSandbox == .withoutSeccomp {
            services.logger.warning(
                "This computer has no seccomp: the process that decodes photos has only limits of memory, time and files"
            )
        }
        let sampler = MetricSampler(services)
        self.sampler = sampler
        certificates = try services.settings.tls.map { try CertificateFiles($0, logger: services.logger) }
        let proxies = UntrustedProxy()
        let verifications = LedgerVerificationService(services)
        let modules: [any WebModule] = [
            AccountsModule(
                accounts: services.accounts, imports: services.imports, storage: services.storage.usage,
                pictures: services.pictures),
            NotificationsModule(
                notifications: services.notifications, usedApps: services.accounts.usedApps,
                feedOffer: TrackingFeedOffer(services: services.tracking)
            ),
            TrackingModule(
                services: services.tracking, profiles: services.accounts.profiles, proofs: services.accounts.proofs,
                pictures: services.pictures, pushKey: services.notifications.publicKey
            ),
            CarrepsaModule(
                services: services.carrepsa, accounts: services.accounts, pictures: services.pictures,
                ledger: services.ledger, database: services.database
            ),
            AdminModule(
                accounts: services.accounts, notifications: services.notifications, carrepsa: services.carrepsa,
                deadJobs: services.deadJobs, facts: services.facts,
                inspector: ServerDoctor(services, untrustedProxy: { proxies.address }),
                backups: services.backupStatus, ledger: verifications, tracking: services.tracking,
                storage: services.storage.administration, serverStorage: sampler),
            FamilyModule(
                services: services.family, accounts: services.accounts, pictures: services.pictures,
                positions: PositionLinks(services.tracking)),
        ]
        web = try Web(
            site: services.settings.site,
            sessions: AccountSessionAuthority(services.accounts, tablets: services.family.tabletAuthenticator),
            digestKey: BodyDigestKey(secret: try services.keys.bytes(.secret)),
            registration: services.accounts.registrationStates, database: services.database, modules: modules,
            jobQueues: services.deadJobs.queues, backups: services.backupStatus,
            otherMetrics: { sampler.metrics(at: $0) }, clock: services.clock, random: services.random,
            logger: services.logger, untrustedProxy: proxies, limitFactor: services.settings.limitFactor,
            onRender: onRender
        )
        responder = web.responder()
    }

    /// Returns the HTTP server without the background services.
    /// - Parameters:
    ///   - limits: the limits of slow clients, and of the connections of one network.
    ///   - onRunning: called when the server listens.
    package func application(
        limits: ConnectionLimits = ConnectionLimits(), onRunning: @escaping @Sendable () async -> Void = {}
    ) -> some ApplicationProtocol {
        let settings = services.settings
        return Application(
            responder: responder,
            server: Self.builder(
                certificates, proxies: settings.site.trustedProxies, limits: limits, clock: services.clock,
                logger: services.logger),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port), backlog: Self.connectionBacklog,
                availableConnectionsDelegate: .maximum(Limits.connections, logger: services.logger)
            ),
            onServerRunning: { [web] _ in
                // The server is ready without them.
                Task.detached { web.prepareAssets() }
                await onRunning()
            },
            logger: services.logger
        )
    }

    /// Returns the connection set-up: over TLS if there is a certificate.
    static func builder(
        _ certificates: CertificateFiles?, proxies: TrustedProxies, limits: ConnectionLimits = ConnectionLimits(),
        clock: any WallClock, logger: Logger
    ) -> HTTPServerBuilder {
        let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: Limits.headerBytes, maxHeaderListSize: Limits.headerBytes
        )
        let configuration = HTTP1Channel.Configuration(idleTimeout: limits.idle, httpDecoderConfiguration: decoder)
        // Hummingbird limits the connections of all networks together.
        let connections = ConnectionCounts(
            of: .connections, perNetwork: limits.perNetwork, proxies: proxies, clock: clock, logger: logger)
        let streams = ConnectionCounts(
            of: .streams, perNetwork: limits.perNetwork, inAll: limits.streamsInAll, proxies: proxies, clock: clock,
            logger: logger)
        return HTTPServerBuilder { responder -> any ServerChildChannel in
            let http1 = HTTP1Connection(
                base: HTTP1Channel(responder: responder, configuration: configuration), limits: limits)
            guard let certificates else {
                return GuardedConnection(base: LoopChannel(http1), limits: limits, counts: connections)
            }
            let http2 = HTTP2Connection(request: HTTP1Channel(responder: responder), limits: limits, counts: streams)
            let negotiated = LoopChannel(NegotiatedConnection(http1: http1, http2: http2))
            return TLSConnection(
                base: GuardedConnection(base: negotiated, limits: limits, counts: connections),
                certificates: certificates, handshakeLimit: limits.grace)
        }
    }

    /// Runs the product until SIGTERM or SIGINT. It then finishes requests, ends streams and closes the store.
    /// - Parameters:
    ///   - extra: additional services of the caller.
    ///   - onRunning: called when the server listens.
    /// - Throws: when the server can't listen, or a service fails.
    package func run(
        extra: [any Service] = [], onRunning: @escaping @Sendable () async -> Void
    ) async throws {
        FileLimit.raise(services.logger)
        // The last service is stopped first: `web.live` ends its streams before the HTTP server stops. The HTTP server
        // doesn't wait for those of HTTP/1.1, whose tasks have ended (docs/decisions/0081).
        var parts: [any Service] = [
            LedgerSealingService(services), LedgerVerificationService(services), MaintenanceService(services),
            PushSenderService(services.notifications), MailDeliveryService(services),
            AccountImportRunner(services.imports), HologramPoller(services), sampler,
            SeparationRecording(services: services), application(onRunning: onRunning), web.live,
            LiveLinkStreaming(services: services), PositionShareEnding(services: services, live: web.live),
        ]
        if let certificates { parts.append(CertificateReloading(certificates: certificates)) }
        parts += extra
        parts.append(
            DrainingService(web: web, seconds: services.settings.drainSeconds, logger: services.logger))
        var configuration = ServiceGroupConfiguration(
            services: parts.map(Self.named), gracefulShutdownSignals: [.sigterm, .sigint], logger: services.logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(
            services.settings.drainSeconds + Limits.shutdownSeconds)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            await services.close()
            throw ListenError.explained(error, services.settings) ?? error
        }
        await services.close()
    }

    /// Without a name, logs would show the contents of the service, its keys included.
    private static func named(_ service: any Service) -> ServiceGroupConfiguration.ServiceConfiguration {
        ServiceGroupConfiguration.ServiceConfiguration(service: service, serviceName: "\(type(of: service))")
    }
}
