import Crypto
import Foundation
package import Kernel

/// The token that a tracker gives to a finder: its id, sealed for its server only and newly each time, so that two
/// tokens of one tracker can't be linked (draft-ietf-dult-accessory-protocol-00, 8.1.1).
///
///     0      32  HPKE's encapsulated key (RFC 9180: X25519, HKDF-SHA256, ChaCha20-Poly1305)
///     32     52  sealed: id (16) ‖ seconds since 2020-01-01T00:00:00Z (4) ‖ tag (16)
///
/// The tag is the first 16 bytes of HMAC-SHA256(finder key, id ‖ seconds): only the holder of the tracker's keys can
/// create a token for it.
package struct FinderToken: Hashable, Sendable {
    /// Thrown when a token is rejected.
    package enum Failure: Error, Hashable, Sendable {
        /// Wrong length, altered, or sealed for another server.
        case unreadable
    }

    /// The tracker's id as the token claims it; verify with ``isGenuine(for:)``.
    package let tracker: TrackerID
    /// The time of creation by the tracker's clock, in whole seconds.
    package let at: Instant
    private let tag: [UInt8]

    /// The length of a token in bytes.
    package static let length = encapsulatedLength + contentLength + 16
    private static let encapsulatedLength = 32
    private static let contentLength = 36
    private static let tagLength = 16
    private static let epoch: Int64 = 1_577_836_800
    private static let info = Data("homeward-finder-1".utf8)
    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly

    /// Opens a token with the server's finder key pair.
    package init(_ token: [UInt8], for server: KeyPair) throws(Failure) {
        guard token.count == Self.length, let content = Self.open(token, server), content.count == Self.contentLength,
            let tracker = TrackerID(bytes: content.prefix(16))
        else { throw .unreadable }
        self.tracker = tracker
        at = Instant(millisecondsSince1970: (Self.epoch + Int64(content.bigEndian32(at: 16))) * 1_000)
        tag = Array(content.suffix(Self.tagLength))
    }

    /// Returns whether the tracker that has these keys created the token.
    package func isGenuine(for keys: TrackerKeys) -> Bool {
        let covered = Self.covered(tracker, seconds: at.wholeSecondsSince1970 - Self.epoch)
        return CompactTag.areEqual(tag, Self.tag(covered, keys))
    }

    /// Creates a token; returns `nil` when the key is invalid or the time not within 2020 to 2156.
    fileprivate static func make(
        tracker: TrackerID, keys: TrackerKeys, at now: Instant, finderKey: [UInt8]
    ) -> [UInt8]? {
        let seconds = now.wholeSecondsSince1970 - epoch
        guard UInt32(exactly: seconds) != nil,
            let server = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: finderKey),
            var sender = try? HPKE.Sender(recipientKey: server, ciphersuite: suite, info: info)
        else { return nil }
        let covered = covered(tracker, seconds: seconds)
        return (try? sender.seal(covered + tag(covered, keys))).map { Array(sender.encapsulatedKey + $0) }
    }

    private static func open(_ token: [UInt8], _ server: KeyPair) -> [UInt8]? {
        guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: server.privateKey) else {
            return nil
        }
        let encapsulated = Data(token.prefix(encapsulatedLength))
        var recipient = try? HPKE.Recipient(
            privateKey: key, ciphersuite: suite, info: info, encapsulatedKey: encapsulated
        )
        return (try? recipient?.open(token.dropFirst(encapsulatedLength))).map { Array($0) }
    }

    private static func covered(_ tracker: TrackerID, seconds: Int64) -> [UInt8] {
        var covered = tracker.bytes
        covered.appendBigEndian(UInt32(truncatingIfNeeded: seconds))
        return covered
    }

    private static func tag(_ covered: [UInt8], _ keys: TrackerKeys) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: covered, using: keys.finder).prefix(tagLength))
    }
}

extension FinderToken {
    /// The path of the page that explains a found tracker and how to reach its owner.
    package static let path = "/found"

    /// Returns a token in base64url without padding (RFC 4648, 5), for use in a URL.
    package static func text(_ token: [UInt8]) -> String { Base64URL.encoded(token) }

    /// Returns the token of a URL; `nil` when it is invalid.
    package static func bytes(_ text: String) -> [UInt8]? {
        // The length of a token needs no padding; any other length is invalid.
        guard text.utf8.count == length / 3 * 4 else { return nil }
        return Base64URL.decoded(text)
    }
}

extension TrackerChannel {
    /// Returns the URL of the finder page with a new token; `nil` when the finder key is invalid.
    /// - Parameters:
    ///   - server: the server's URL, without a slash at the end.
    ///   - finderKey: the server's X25519 public key for finder tokens, 32 bytes.
    package func finderAddress(at now: Instant, server: String, finderKey: [UInt8]) -> String? {
        FinderToken.make(tracker: tracker, keys: keys, at: now, finderKey: finderKey)
            .map { "\(server)\(FinderToken.path)?e=\(FinderToken.text($0))" }
    }
}
