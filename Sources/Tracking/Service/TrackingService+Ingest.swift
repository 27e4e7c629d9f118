import Accounts
import Kernel
import Storage
import Synchronization

extension TrackingService {
    /// Processes a message of OwnTracks.
    /// - Parameters:
    ///   - user: The user name of Basic authentication.
    ///   - password: The password of Basic authentication.
    ///   - body: The body as received, at most `Limits.ingestBytes`; may be empty.
    /// - Throws: `AppError.throttled` for a source that sends too fast or whose owner's history is full. Errors of the
    ///   database, after which the app retries.
    package func ingestOwnTracks(user: String, password: String, body: [UInt8]) async throws -> OwnTracksResponse {
        let hash = SourceSecret.hash(password)
        guard let credential = try await credential(hash, kind: .owntracks), credential.user == user else {
            return .unauthorized
        }
        try ingestRate.charge(.source(credential.source), of: credential.owner, now: clock.now)
        let passphrase = try passphrase(of: credential)
        let outcome: Outcome
        switch OwnTracksJSON.decoded(body, passphrase: passphrase) {
        case .malformed: return .malformed
        case .nothing: outcome = try await handOver(credential)
        case .unusable(let reason): outcome = try await quarantine(reason, from: credential)
        case .report(let report): outcome = try await take(report, from: credential, hash: hash)
        }
        switch outcome {
        case .revoked:
            credentials.drop(credential.source)
            return .unauthorized
        case .taken(let commands): return .accepted(OwnTracksResponseBody.encoded(commands))
        }
    }

    /// Processes a message of OsmAnd.
    /// - Parameter query: The decoded pairs of the query, or of the form in the body when there is no query.
    /// - Throws: The errors of ``ingestOwnTracks(user:password:body:)``.
    package func ingestOsmAnd(query: [(name: String, value: String)]) async throws -> OsmAndResponse {
        let message = OsmAndQuery(query)
        guard let deviceID = message.deviceID else { return .unknownDevice }
        let hash = SourceSecret.hash(deviceID)
        guard let credential = try await credential(hash, kind: .osmand) else { return .unknownDevice }
        try ingestRate.charge(.source(credential.source), of: credential.owner, now: clock.now)
        return try await answer(message.decoded(speedUnit: credential.speedUnit ?? .knots), credential, hash)
    }

    /// Returns the response of ``ingestOsmAnd(query:)`` without storing the position.
    /// - Throws: Errors of the database only.
    package func recognizeOsmAnd(query: [(name: String, value: String)]) async throws -> OsmAndResponse {
        guard let deviceID = OsmAndQuery(query).deviceID else { return .unknownDevice }
        let hash = SourceSecret.hash(deviceID)
        let credential = try await database.read { tx in try SourceStore.credential(secretHash: hash, in: tx) }
        return credential?.kind == .osmand ? .accepted : .unknownDevice
    }

    /// Processes a message of Traccar Client.
    /// - Parameter body: The body as received, at most `Limits.ingestBytes`.
    /// - Throws: The errors of ``ingestOwnTracks(user:password:body:)``.
    package func ingestTraccar(body: [UInt8]) async throws -> OsmAndResponse {
        let message: TraccarJSON
        do {
            message = try TraccarJSON(body)
        } catch .notJSON {
            return .malformed
        } catch {
            return .unknownDevice
        }
        guard let deviceID = message.deviceID else { return .unknownDevice }
        let hash = SourceSecret.hash(deviceID)
        guard let credential = try await credential(hash, kind: .osmand) else { return .unknownDevice }
        let parts = message.decoded()
        // Charged as a whole: a batch that fails in the middle would be retried from the start forever.
        try ingestRate.charge(
            .source(credential.source), of: credential.owner, positions: parts.count, now: clock.now)
        for part in parts {
            let answer = try await answer(part, credential, hash)
            guard answer == .accepted else { return answer }
        }
        return .accepted
    }

    private func answer(
        _ message: DecodedMessage, _ credential: SourceCredential, _ hash: [UInt8]
    ) async throws -> OsmAndResponse {
        let outcome: Outcome
        switch message {
        case .malformed: return .malformed
        case .nothing: return .accepted
        case .unusable(let reason): outcome = try await quarantine(reason, from: credential)
        case .report(let report): outcome = try await take(report, from: credential, hash: hash)
        }
        guard case .revoked = outcome else { return .accepted }
        credentials.drop(credential.source)
        return .unknownDevice
    }

    private func credential(_ hash: [UInt8], kind: SourceKind) async throws -> SourceCredential? {
        if let known = credentials.credential(hash) { return known.kind == kind ? known : nil }
        let found = try await database.read { tx in try SourceStore.credential(secretHash: hash, in: tx) }
        guard let found else { return nil }
        credentials.keep(found, for: hash)
        return found.kind == kind ? found : nil
    }

    private func passphrase(of credential: SourceCredential) throws -> String {
        guard let sealed = credential.sealedPassphrase else { return "" }
        return String(decoding: try secrets.open(sealed), as: UTF8.self)
    }
}

extension TrackingService {
    /// The result for a message of a source whose credential was valid a moment ago.
    enum Outcome: Sendable {
        /// The source is deleted or has another secret.
        case revoked
        /// The message was processed; the response contains these commands.
        case taken([Command])
    }

    /// Thrown when the source was deleted or got another secret while its message was processed.
    struct Revoked: Error {}

    private func quarantine(_ reason: QuarantineReason, from credential: SourceCredential) async throws -> Outcome {
        let now = clock.now
        let entry = quarantineEntry(reason, device: credential.source.description, now: now)
        return try await unlessRevoked { [self] tx in
            guard try SourceStore.exists(credential, in: tx) else { throw Revoked() }
            try QuarantineStore.add(entry, owner: credential.owner, item: credential.tracked?.item, in: tx)
            return try handOver(credential, now: now, in: tx)
        }
    }

    /// The time of the database's clock, which all nodes share. On a node with a slow clock, current positions would
    /// otherwise seem to come from the future.
    var databaseNow: Instant {
        Instant(millisecondsSince1970: clock.now.millisecondsSince1970 + database.status.correctionMilliseconds)
    }

    func quarantineEntry(_ reason: QuarantineReason, device: String, now: Instant) -> QuarantineEntry {
        QuarantineEntry(id: ID(at: now, random: random), sourceID: device, receivedAt: now, reason: reason)
    }

    private func take(_ report: Report, from credential: SourceCredential, hash: [UInt8]) async throws -> Outcome {
        let now = clock.now
        let at = report.at ?? databaseNow
        guard FixAcceptance.isAcceptable(at, now: databaseNow) else {
            return try await quarantine(.timeOutOfRange, from: credential)
        }
        guard let tracked = credential.tracked else {
            return try await unlessRevoked { [self] tx in
                guard try SourceStore.exists(credential, in: tx) else { throw Revoked() }
                let version = try PositionStore.report(
                    report, at: at, of: .source(credential.source), owner: credential.owner, now: now, in: tx
                )
                if let version {
                    try tx.publish(TrackingEvents.position(of: credential.owner, version: version, now: now))
                    try warn(of: credential.owner, phoneSeenAt: at, now: now, in: tx)
                }
                return []
            }
        }
        try await reserveHistoryQuota(for: 1, of: credential.owner, now: now)
        return try await unlessRevoked { [self] tx in
            switch try FixStore.insert(report, at: at, series: tracked.series, in: tx) {
            case .stored:
                return try follow(report, at: at, of: tracked, credential, hash: hash, now: now, in: tx)
            case .knownAlready:
                guard try SourceStore.exists(credential, in: tx) else { throw Revoked() }
            case .otherPlace:
                guard try SourceStore.exists(credential, in: tx) else { throw Revoked() }
                let device = credential.source.description
                let entry = quarantineEntry(.otherPlaceAtThatTime, device: device, now: now)
                try QuarantineStore.add(entry, owner: credential.owner, item: tracked.item, in: tx)
            }
            return try handOver(credential, now: now, in: tx)
        }
    }

    /// Stores the effects of a new fix. The usual case needs two statements: the last position, and the event.
    private func follow(
        _ report: Report, at: Instant, of tracked: SourceCredential.Tracked, _ credential: SourceCredential,
        hash: [UInt8],
        now: Instant, in tx: Transaction
    ) throws -> [Command] {
        let followed = try SourceFixStore.follow(report, at: at, of: tracked, by: credential, seenAt: now, in: tx)
        guard let (reported, hasMoved) = followed else { throw Revoked() }
        try tx.publish(
            TrackingEvents.live(.fix, path: tracked.path, owner: credential.owner, version: reported.version, now: now)
        )
        if !tracked.isActive { try activate(credential, tracked, hash: hash, in: tx) }
        if hasMoved, reported.isWatched(at: now) { try warn(of: tracked.item, now: now, in: tx) }
        guard reported.hasWaiting else { return [] }
        return try handOver(credential, isAnswered: hasMoved, now: now, in: tx)
    }

    private func activate(
        _ credential: SourceCredential, _ tracked: SourceCredential.Tracked, hash: [UInt8], in tx: Transaction
    ) throws {
        _ = try SourceStore.activate(credential.source, in: tx)
        let active = SourceCredential(
            source: credential.source, secretHash: credential.secretHash, owner: credential.owner,
            kind: credential.kind, user: credential.user, sealedPassphrase: credential.sealedPassphrase,
            speedUnit: credential.speedUnit,
            tracked: SourceCredential.Tracked(item: tracked.item, series: tracked.series, isActive: true)
        )
        tx.afterCommit { [credentials] in credentials.keep(active, for: hash) }
    }

    func unlessRevoked(_ work: @escaping @Sendable (Transaction) throws -> [Command]) async throws -> Outcome {
        let handedOver = CommandsForResponse()
        do {
            try await database.commit { tx in handedOver.commands = try work(tx) }
            return .taken(handedOver.commands)
        } catch is Revoked {
            return .revoked
        } catch StorageError.foreignKeyViolation {
            // The item's track or the source was deleted during the transaction.
            return .revoked
        }
    }
}

/// Carries the commands for the response from the database's thread.
private final class CommandsForResponse: Sendable {
    private let content = Mutex<[Command]>([])

    var commands: [Command] {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}
