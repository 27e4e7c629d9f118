import Crypto
import Kernel

/// A message with its authentication, ready for transport.
package struct SealedMessage: Hashable, Sendable {
    /// The content: JSON in UTF-8. Must arrive unchanged, byte for byte.
    package let body: [UInt8]
    /// HMAC-SHA256 in 64 lower-case hexadecimal digits; over HTTP in the header ``TrackerHTTP/signatureHeader``.
    package let signature: String

    package init(body: [UInt8], signature: String) {
        self.body = body
        self.signature = signature
    }
}

/// The headers and paths of messages over HTTP.
package enum TrackerHTTP {
    /// The header with a body's signature, in requests and responses.
    package static let signatureHeader = "Homeward-Signature"
    /// The path for first contacts.
    package static let firstContactPath = "/trackers"
    /// Returns the path for a tracker's messages.
    package static func messagesPath(of tracker: TrackerID) -> String { "/trackers/\(tracker)/messages" }
}

/// The kind and direction of a message; the first line of the authenticated bytes.
enum Direction: String {
    case uplink = "homeward-uplink-1"
    case downlink = "homeward-downlink-1"
    /// A register request from the server.
    case register = "homeward-register-1"
    /// A register answer from the tracker.
    case pairing = "homeward-pairing-1"
}

/// HMAC-SHA256 (RFC 2104) over `direction LF tracker LF body`.
enum Seal {
    static let tagLength = 32

    static func tag(_ body: [UInt8], _ direction: Direction, tracker: TrackerID, key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: covered(body, direction, tracker), using: key))
    }

    /// Returns the tag if `signature` is valid for `body`, otherwise `nil`. Compares in constant time.
    static func verify(
        _ body: [UInt8], signature: String?, _ direction: Direction, tracker: TrackerID, key: SymmetricKey
    ) -> [UInt8]? {
        guard let signature, let tag = Hexadecimal.decoded(signature, count: tagLength) else { return nil }
        let data = covered(body, direction, tracker)
        return HMAC<SHA256>.isValidAuthenticationCode(tag, authenticating: data, using: key) ? tag : nil
    }

    private static func covered(_ body: [UInt8], _ direction: Direction, _ tracker: TrackerID) -> [UInt8] {
        var data = Array("\(direction.rawValue)\n\(tracker)\n".utf8)
        data.append(contentsOf: body)
        return data
    }
}
