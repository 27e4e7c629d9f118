package import Accounts
import Crypto
import Foundation
package import Kernel
import Storage

extension TrackingService {
    /// A page of the actor's sources, in the order in which they were added.
    /// - Throws: `AppError.invalid` at `after` for a cursor that no page gave out.
    package func sources(for actor: Actor, after: String?, limit: Int) async throws -> TrackingPage<Source> {
        let after: ID<Source>? = try Cursor.id(after)
        let limit = Cursor.limit(limit)
        let sources = try await database.read { tx in
            try SourceStore.page(of: actor.person, after: after, limit: limit + 1, in: tx)
        }
        return TrackingPage(sources, limit: limit) { $0.id.description }
    }

    /// Adds a source and makes its secrets. An idempotency key is not heeded: the answer can't be repeated.
    /// - Throws: `AppError`: `notFound` for somebody else's item; `conflict` when the item has a tracker or the
    ///   account holds `Limits.sourcesPerAccount` already.
    package func addSource(_ input: SourceInput, by change: Change) async throws -> NewSource {
        let now = clock.now
        let owner = change.actor.person
        let isOwnTracks = input.kind == .owntracks
        let secret = SourceSecret.make(byteCount: SourceSecret.secretBytes, random: random)
        let user = isOwnTracks ? SourceSecret.make(byteCount: SourceSecret.userBytes, random: random) : nil
        let passphrase = isOwnTracks ? SourceSecret.make(byteCount: SourceSecret.passphraseBytes, random: random) : nil
        let sealed = try passphrase.map { try secrets.seal(Array($0.utf8)) }
        let id = ID<Source>(at: now, random: self.random)
        let source = Source(
            id: id, kind: input.kind, itemID: input.itemID, user: user,
            speedUnit: isOwnTracks ? nil : input.speedUnit ?? .knots, lastSeenAt: nil, version: 1, createdAt: now
        )
        let hash = SourceSecret.hash(secret)
        try await database.write { [self] tx in
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
            try SourceStore.insert(source, owner: owner, secretHash: hash, passphrase: sealed, in: tx)
            try tx.publish(Announcement.source(source.id, of: owner, version: source.version, now: now))
        }
        let path = isOwnTracks ? "/ingest/owntracks" : "/ingest/osmand?id=\(secret)"
        return NewSource(source: source, path: path, user: user, secret: secret, passphrase: passphrase)
    }

    /// Deletes a source: it gets in no more. The history that it made stays.
    /// - Throws: `AppError.notFound`.
    package func deleteSource(_ id: ID<Source>, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { [self] tx in
            try tx.once(change.idempotency, status: 204, now: now) {
                guard let source = try SourceStore.source(id, of: owner, in: tx) else { throw AppError.notFound }
                if let itemID = source.itemID {
                    let item = try ItemStore.lock(itemID, of: owner, in: tx)
                    try advance(item, now: now, in: tx)
                }
                try remove(source, in: tx)
                try tx.publish(Announcement.source(id, of: owner, version: source.version + 1, now: now))
                return id.description
            }
        }
    }

    /// A page of what the actor's devices sent and could not be used, newest first.
    /// - Throws: `AppError.invalid` at `after` for a cursor that no page gave out.
    package func quarantine(
        for actor: Actor, after: String?, limit: Int
    ) async throws -> TrackingPage<QuarantineEntry> {
        let after: ID<QuarantineEntry>? = try Cursor.id(after)
        let limit = Cursor.limit(limit)
        let entries = try await database.read { tx in
            try QuarantineStore.page(of: actor.person, after: after, limit: limit + 1, in: tx)
        }
        return TrackingPage(entries, limit: limit) { $0.id.description }
    }
}

/// The secrets of sources: random, easy to type, and safe in a URL.
enum SourceSecret {
    static let secretBytes = 20
    static let userBytes = 5
    /// 26 characters, of the 32 bytes that a passphrase may have.
    static let passphraseBytes = 16

    // Without i, l, o and u, which are easily misread.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// Base32 of that many random bytes.
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

    /// SHA-256: 160 random bits need no slow hash.
    static func hash(_ secret: String) -> [UInt8] { Array(SHA256.hash(data: Array(secret.utf8))) }
}

extension NewSource {
    /// What a QR code holds to set the app up: OwnTracks' inline configuration, or OsmAnd's and Traccar's address.
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
