import Crypto
import TrackerProtocol

/// Signs as the protocol document prescribes, without the code under test.
enum DocumentSigner {
    static func uplink(_ body: [UInt8], id: TrackerID, stored: [UInt8]) -> String {
        sign(body, id: id, stored: stored, info: "homeward-tracker-1 uplink", word: "homeward-uplink-1")
    }

    static func downlink(_ body: [UInt8], id: TrackerID, stored: [UInt8]) -> String {
        sign(body, id: id, stored: stored, info: "homeward-tracker-1 downlink", word: "homeward-downlink-1")
    }

    static func register(_ body: [UInt8], id: TrackerID, stored: [UInt8]) -> String {
        sign(body, id: id, stored: stored, info: "homeward-tracker-1 downlink", word: "homeward-register-1")
    }

    static func pairing(_ body: [UInt8], id: TrackerID, stored: [UInt8]) -> String {
        sign(body, id: id, stored: stored, info: "homeward-tracker-1 uplink", word: "homeward-pairing-1")
    }

    static func compact(_ covered: [UInt8], stored: [UInt8], info: String) -> [UInt8] {
        let root = SymmetricKey(data: stored)
        let key = HMAC<SHA256>.authenticationCode(for: Array("homeward-tracker-1 \(info)".utf8) + [1], using: root)
        return Array(HMAC<SHA256>.authenticationCode(for: covered, using: SymmetricKey(data: key)).prefix(8))
    }

    private static func sign(_ body: [UInt8], id: TrackerID, stored: [UInt8], info: String, word: String) -> String {
        let root = SymmetricKey(data: stored)
        let key = HMAC<SHA256>.authenticationCode(for: Array(info.utf8) + [1], using: root)
        let covered = Array("\(word)\n\(id)\n".utf8) + body
        let tag = HMAC<SHA256>.authenticationCode(for: covered, using: SymmetricKey(data: key))
        return tag.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
