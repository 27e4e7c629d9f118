package import Accounts
import Crypto
import Foundation
package import Kernel
import Storage

extension TrackingService {
    /// Returns a page of the actor's sources, in the order of their creation.
    /// - Throws: `AppError.invalid` at `after` for an unknown cursor.
    package func sources(for actor: Actor, after: String?, limit: Int) async throws -> TrackingPage<Source> {
        let after: ID<Source>? = try Cursor.id(after)
        let limit = Cursor.limit(limit)
        let sources = try await database.read { tx in
            try SourceStore.page(of: actor.person, after: after, limit: limit + 1, in: tx)
        }
        return TrackingPage(sources, limit: limit) { $0.id.description }
    }

    /// Returns one source.
    /// - Throws: `AppError.notFound`.
    package func source(_ id: ID<Source>, for actor: Actor) async throws -> Source {
        let source = try await database.read { tx in try SourceStore.source(id, of: actor.person, in: tx) }
        guard let source else { throw AppError.notFound }
        return source
    }

    /// Adds a source and creates its secrets. A repeated request creates no second source. The server stores only a
    /// hash of the secret, so the repeated request's response doesn't contain it.
    /// - Throws: `AppError`: `notFound` for another account's item; `conflict` when the item has a tracker or the
    ///   account already has `Limits.sourcesPerAccount` sources.
    package func addSource(_ input: SourceInput, by change: Change) async throws -> SecretsResult {
        let now = clock.now
        let owner = change.actor.person
        let isOwnTracks = input.kind == .owntracks
        let user = isOwnTracks ? SourceSecret.make(byteCount: SourceSecret.userBytes, random: random) : nil
        let id = ID<Source>(at: now, random: self.random)
        let source = Source(
            id: id, kind: input.kind, itemID: input.itemID, user: user,
            speedUnit: isOwnTracks ? nil : input.speedUnit ?? .knots, lastSeenAt: nil, version: 1, createdAt: now
        )
        let made = try SourceSecrets(for: input.kind, random: random, box: secrets)
        let once = try await database.write { [self] tx in
            try tx.once(change.idempotency, status: 201, now: now, resource: source.id.description) {
                guard try SourceStore.count(of: owner, in: tx) < Limits.sourcesPerAccount else {
                    throw AppError(.conflict, .tooManySources)
                }
                if let id = source.itemID {
                    let item = try ItemStore.lock(id, of: owner, in: tx)
                    try requireNoTracker(id, in: tx)
                    _ = try FixStore.series(
                        item: id, device: source.id.description, source: isOwnTracks ? .owntracks : .osmand, in: tx
                    )
                    try advance(item, now: now, in: tx)
                }
                try SourceStore.insert(
                    source, owner: owner, secretHash: made.secretHash, passphrase: made.sealedPassphrase, in: tx
                )
                try tx.publish(TrackingEvents.source(source.id, of: owner, version: source.version, now: now))
            }
        }
        return try await answer(once, made, of: source, for: change.actor)
    }

    /// Replaces a source's secrets; the old ones are invalid at once. OwnTracks keeps its user name. A repeated request
    /// creates no new secrets.
    /// - Parameter ifVersion: The version on which the change is based; `nil` skips the check.
    /// - Throws: `AppError`: `notFound`; `conflict` when the source's version isn't `ifVersion`.
    package func renewSecret(of id: ID<Source>, ifVersion: Int64?, by change: Change) async throws -> SecretsResult {
        let now = clock.now
        let owner = change.actor.person
        let before = try await source(id, for: change.actor)
        let made = try SourceSecrets(for: before.kind, random: random, box: secrets)
        let once = try await database.write { [self] tx in
            try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                guard let present = try SourceStore.source(id, of: owner, in: tx) else { throw AppError.notFound }
                let version = try SourceStore.renew(
                    id, secretHash: made.secretHash, passphrase: made.sealedPassphrase,
                    ifVersion: ifVersion ?? present.version, in: tx
                )
                guard let version else { throw AppError(.conflict, .movedOn) }
                try tx.publish(TrackingEvents.source(id, of: owner, version: version, now: now))
                tx.afterCommit { [credentials] in credentials.drop(id) }
            }
        }
        return try await answer(once, made, of: try await source(id, for: change.actor), for: change.actor)
    }

    private func answer(
        _ once: Once, _ made: SourceSecrets, of source: Source, for actor: Actor
    ) async throws -> SecretsResult {
        switch once {
        case .made: return .new(NewSource(source, made))
        case .replayed(let id):
            guard let id = ID<Source>(id) else { throw AppError.notFound }
            return .shownBefore(try await self.source(id, for: actor))
        }
    }

    /// Deletes a source; its messages are rejected from then on. The history that it sent remains.
    /// - Throws: `AppError`: `notFound`; `conflict` when the version in the request is stale.
    package func deleteSource(_ id: ID<Source>, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { [self] tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                guard let source = try SourceStore.source(id, of: owner, in: tx) else { throw AppError.notFound }
                if change.isStale(at: source.version) { throw AppError(.conflict, .movedOn) }
                if let itemID = source.itemID {
                    let item = try ItemStore.lock(itemID, of: owner, in: tx)
                    try advance(item, now: now, in: tx)
                }
                try remove(source, in: tx)
                try tx.publish(TrackingEvents.source(id, of: owner, version: source.version + 1, now: now))
            }
        }
    }

    /// Returns a page of the unusable messages of the actor's devices, newest first. Administrators also get those from
    /// the cloud.
    /// - Throws: `AppError.invalid` at `after` for an unknown cursor.
    package func quarantine(
        for actor: Actor, after: String?, limit: Int
    ) async throws -> TrackingPage<QuarantineEntry> {
        let after: ID<QuarantineEntry>? = try Cursor.id(after)
        let limit = Cursor.limit(limit)
        let entries = try await database.read { tx in
            let own = try QuarantineStore.page(of: actor.person, after: after, limit: limit + 1, in: tx)
            // Sorts after every id.
            let before = after?.description ?? "~"
            let cloud = try HologramFeedStore.quarantine(for: actor.person, before: before, limit: limit + 1, in: tx)
            return Array((own + cloud).sorted { $0.id > $1.id }.prefix(limit + 1))
        }
        return TrackingPage(entries, limit: limit) { $0.id.description }
    }
}

/// The secrets of sources: random, easy to type, and safe in a URL.
enum SourceSecret {
    static let secretBytes = 20
    static let userBytes = 5
    /// 16 bytes make 26 characters; a passphrase may have 32 bytes.
    static let passphraseBytes = 16

    // Crockford's alphabet: without i, l, o and u, which are easily misread.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// Returns the base32 text of random bytes.
    static func make(byteCount: Int, random: any RandomSource) -> String {
        var text: [UInt8] = []
        var buffer = 0
        var bits = 0
        for byte in random.bytes(byteCount) {
            buffer = (buffer << 8 | Int(byte)) & 0xffff
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[buffer >> bits & 31])
            }
        }
        if bits > 0 { text.append(alphabet[buffer << (5 - bits) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the SHA-256 of a secret: 160 random bits need no slow hash.
    static func hash(_ secret: String) -> [UInt8] { Array(SHA256.hash(data: Array(secret.utf8))) }
}

/// The new secrets of one source, with the values to store.
private struct SourceSecrets {
    let secret: String
    let secretHash: [UInt8]
    let passphrase: String?
    let sealedPassphrase: [UInt8]?

    init(for kind: SourceKind, random: any RandomSource, box: SecretBox) throws {
        secret = SourceSecret.make(byteCount: SourceSecret.secretBytes, random: random)
        secretHash = SourceSecret.hash(secret)
        passphrase =
            kind == .owntracks ? SourceSecret.make(byteCount: SourceSecret.passphraseBytes, random: random) : nil
        sealedPassphrase = try passphrase.map { try box.seal(Array($0.utf8)) }
    }
}

extension NewSource {
    fileprivate init(_ source: Source, _ made: SourceSecrets) {
        self.init(
            source: source, path: source.kind == .owntracks ? "/ingest/owntracks" : "/ingest/osmand?id=\(made.secret)",
            user: source.user, secret: made.secret, passphrase: made.passphrase
        )
    }

    /// Returns the content of the QR code that sets up the app: OwnTracks' inline configuration, or the URL for OsmAnd
    /// and Traccar Client.
    /// - Parameter baseURL: `HOMEWARD_URL`, without a slash at the end.
    package func setupText(baseURL: String) -> String {
        guard let user, let passphrase else { return baseURL + path }
        let configuration = OwnTracksConfiguration(
            url: baseURL + path, username: user, password: secret, encryptionKey: passphrase
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(configuration) else { return baseURL + path }
        let inline = json.base64EncodedString()
            .replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        return "owntracks:///config?inline=\(inline)"
    }
}

/// OwnTracks' `configuration` message; mode 3 is HTTP.
private struct OwnTracksConfiguration: Encodable {
    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case mode, url, auth, username, password, encryptionKey
    }

    let type = "configuration"
    let mode = 3
    let url: String
    let auth = true
    let username: String
    let password: String
    let encryptionKey: String
}
