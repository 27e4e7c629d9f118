import Accounts
import Kernel
import Storage

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
        let message = OwnTracksJSON.decoded(body, passphrase: passphrase)
        if case .malformed = message { return .malformed }
        let write = try await write(for: message, credential, hash)
        let commands = try await unlessRevoked(credential) {
            if let write { try await database.write(write) } else { try await waitingCommands(of: credential) }
        }
        return commands.map { .accepted(OwnTracksResponseBody.encoded($0)) } ?? .unauthorized
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
        return try await store(message.decoded(speedUnit: credential.speedUnit ?? .knots), credential, hash)
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
            let response = try await store(part, credential, hash)
            guard response == .accepted else { return response }
        }
        return .accepted
    }

    private func store(
        _ message: DecodedMessage, _ credential: SourceCredential, _ hash: [UInt8]
    ) async throws -> OsmAndResponse {
        if case .malformed = message { return .malformed }
        guard let write = try await write(for: message, credential, hash) else { return .accepted }
        // The response to OsmAnd has no commands.
        let result: Void? = try await unlessRevoked(credential) {
            try await database.commit { tx in _ = try write(tx) }
        }
        return result == nil ? .unknownDevice : .accepted
    }

    /// Returns what a message writes; `nil` for a message without a position.
    private func write(
        for message: DecodedMessage, _ credential: SourceCredential, _ hash: [UInt8]
    ) async throws -> IngestWrite? {
        switch message {
        case .malformed, .nothing: nil
        case .unusable(let reason): quarantineWrite(reason, from: credential)
        case .report(let report): try await fixWrite(report, from: credential, hash: hash)
        }
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
    /// Stores a message of a source in one transaction, and returns the commands for the response.
    typealias IngestWrite = @Sendable (Transaction) throws -> [Command]

    /// Thrown when the source was deleted or got another secret while its message was processed.
    struct Revoked: Error {}

    private func quarantineWrite(_ reason: QuarantineReason, from credential: SourceCredential) -> IngestWrite {
        let now = clock.now
        let entry = quarantineEntry(reason, device: credential.source.description, now: now)
        return { [self] tx in
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

    private func fixWrite(
        _ report: Report, from credential: SourceCredential, hash: [UInt8]
    ) async throws -> IngestWrite {
        let now = clock.now
        let at = report.at ?? databaseNow
        guard FixAcceptance.isAcceptable(at, now: databaseNow) else {
            return quarantineWrite(.timeOutOfRange, from: credential)
        }
        guard let tracked = credential.tracked else {
            return { [self] tx in
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
        return { [self] tx in
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

    /// Runs `work` and returns its result; `nil` if the source was revoked.
    private func unlessRevoked<T>(
        _ credential: SourceCredential, _ work: () async throws -> T
    ) async throws -> T? {
        do {
            return try await work()
        } catch is Revoked, StorageError.foreignKeyViolation {
            // A foreign key is violated if the item's track or the source was deleted during the transaction.
            credentials.drop(credential.source)
            return nil
        }
    }
}
