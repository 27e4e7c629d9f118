import Crypto
import Kernel

/// A message with its authentication, ready for the wire.
package struct SealedMessage: Hashable, Sendable {
    /// The content: JSON in UTF-8. Must reach the other side byte for byte.
    package let body: [UInt8]
    /// HMAC-SHA256 in 64 lower-case hexadecimal digits; over HTTP the header ``TrackerHTTP/signatureHeader``.
    package let signature: String

    /// Makes a message of what arrived.
    package init(body: [UInt8], signature: String) {
        self.body = body
        self.signature = signature
    }
}

/// How messages travel over HTTP.
package enum TrackerHTTP {
    /// The header that carries the signature of a body, both ways.
    package static let signatureHeader = "Homeward-Signature"
    /// The path of first contacts.
    package static let firstContactPath = "/trackers"
    /// The path of a tracker's messages.
    package static func messagesPath(of tracker: TrackerID) -> String { "/trackers/\(tracker)/messages" }
}

/// What kind of message it is and which way it goes; the line that starts what is authenticated.
enum Direction: String {
    case uplink = "homeward-uplink-1"
    case downlink = "homeward-downlink-1"
    /// A register request of the server.
    case register = "homeward-register-1"
    /// A register answer of the tracker.
    case pairing = "homeward-pairing-1"
}

/// HMAC-SHA256 (RFC 2104) over `direction LF tracker LF body`.
enum Seal {
    static let tagLength = 32

    static func tag(_ body: [UInt8], _ direction: Direction, tracker: TrackerID, key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: covered(body, direction, tracker), using: key))
    }

    /// The tag, if `signature` is the right one for `body`. Compared in constant time.
    static func verify(
        _ body: [UInt8], signature: String?, _ direction: Direction, tracker: TrackerID, key: SymmetricKey
    ) -> [UInt8]? {
        guard let signature, let tag = Hex.decode(signature, count: tagLength) else { return nil }
        let data = covered(body, direction, tracker)
        return HMAC<SHA256>.isValidAuthenticationCode(tag, authenticating: data, using: key) ? tag : nil
    }

    private static func covered(_ body: [UInt8], _ direction: Direction, _ tracker: TrackerID) -> [UInt8] {
        var data = Array("\(direction.rawValue)\n\(tracker)\n".utf8)
        data.append(contentsOf: body)
        return data
    }
}
