import Crypto
import Foundation
package import Kernel

/// What a tracker gives to whoever found it: its id, sealed so that only its server can read it, anew each time, so that
/// nobody can tell two of one tracker (draft-ietf-dult-accessory-protocol-00, 8.1.1).
///
///     0      32  HPKE's encapsulated key (RFC 9180: X25519, HKDF-SHA256, ChaCha20-Poly1305)
///     32     52  sealed: id (16) ‖ seconds since 2020-01-01T00:00:00Z (4) ‖ tag (16)
///
/// The tag is the first 16 bytes of HMAC-SHA256(finder key, id ‖ seconds): without the tracker's keys nobody can make a
/// token in its name.
package struct FinderToken: Hashable, Sendable {
    /// Why a token isn't one.
    package enum Failure: Error, Hashable, Sendable {
        /// Not the right length, altered, or sealed for another server.
        case unreadable
    }

    /// Whose it is, as it says itself; see ``isGenuine(for:)``.
    package let tracker: TrackerID
    /// When it was made, by the tracker's clock, in whole seconds.
    package let at: Instant
    private let tag: [UInt8]

    /// Bytes of a token.
    package static let length = encapsulatedLength + contentLength + 16
    private static let encapsulatedLength = 32
    private static let contentLength = 36
    private static let tagLength = 16
    private static let epoch: Int64 = 1_577_836_800
    private static let info = Data("homeward-finder-1".utf8)
    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly

    /// Opens a token with the server's key pair for finders.
    package init(_ token: [UInt8], for server: KeyPair) throws(Failure) {
        guard token.count == Self.length, let content = Self.open(token, server), content.count == Self.contentLength,
            let tracker = TrackerID(bytes: content.prefix(16))
        else { throw .unreadable }
        self.tracker = tracker
        at = Instant(millisecondsSince1970: (Self.epoch + Int64(content.bigEndian32(at: 16))) * 1_000)
        tag = Array(content.suffix(Self.tagLength))
    }

    /// Whether it was made by the tracker that has these keys.
    package func isGenuine(for keys: TrackerKeys) -> Bool {
        let covered = Self.covered(tracker, seconds: at.wholeSecondsSince1970 - Self.epoch)
        return CompactTag.areEqual(tag, Self.tag(covered, keys))
    }

    /// A token for this moment; `nil` when the key is none or the time not within 2020 to 2156.
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
    /// The page that tells a finder what a tracker is, and how to reach its owner.
    package static let path = "/found"

    /// The bytes of a token in an address: base64url without padding (RFC 4648, 5).
    package static func text(_ token: [UInt8]) -> String {
        Data(token).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The token of an address; `nil` when it is none.
    package static func bytes(_ text: String) -> [UInt8]? {
        // A length that needs no padding; anything else is no token.
        guard text.utf8.count == length / 3 * 4 else { return nil }
        return Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/")).map(Array.init)
    }
}

extension TrackerChannel {
    /// The address that a finder opens, made for this moment; `nil` when the key for finders is none.
    /// - Parameters:
    ///   - server: the server's address, without a slash at its end.
    ///   - finderKey: the server's X25519 public key for finders, 32 bytes.
    package func finderAddress(at now: Instant, server: String, finderKey: [UInt8]) -> String? {
        FinderToken.make(tracker: tracker, keys: keys, at: now, finderKey: finderKey)
            .map { "\(server)\(FinderToken.path)?e=\(FinderToken.text($0))" }
    }
}
