import Foundation
import Kernel

/// Thrown when a first contact is rejected.
package enum FirstContactFailure: Error, Hashable, Sendable {
    /// Not JSON.
    case malformed
    /// The field is missing, has the wrong type, or is not 64 hexadecimal digits.
    case invalid(field: String)
}

/// The first request of a tracker that the server doesn't know: `POST /trackers`.
package struct FirstContact: Hashable, Sendable {
    /// The tracker's X25519 public key, 32 bytes.
    package let publicKey: [UInt8]
    /// ``ClaimCode/hash`` of the claim code that the tracker shows, 32 bytes.
    package let codeHash: [UInt8]

    package init(publicKey: [UInt8], codeHash: [UInt8]) {
        self.publicKey = publicKey
        self.codeHash = codeHash
    }

    private struct Body: Codable {
        var publicKey: String
        var codeHash: String
    }

    /// Reads a request's body.
    package static func read(_ body: [UInt8]) throws(FirstContactFailure) -> FirstContact {
        let fields = try fields(of: body)
        guard let publicKey = Hexadecimal.decoded(fields["publicKey"] ?? "", count: 32) else {
            throw .invalid(field: "publicKey")
        }
        guard let codeHash = Hexadecimal.decoded(fields["codeHash"] ?? "", count: 32) else {
            throw .invalid(field: "codeHash")
        }
        return FirstContact(publicKey: publicKey, codeHash: codeHash)
    }

    /// Returns the request's body.
    package func encoded() -> [UInt8] {
        JSONText.encode(Body(publicKey: Hexadecimal.encoded(publicKey), codeHash: Hexadecimal.encoded(codeHash)))
    }

    private static func fields(of body: [UInt8]) throws(FirstContactFailure) -> [String: String] {
        guard let fields = JSONText.decode([String: Lossy<String>].self, from: body) else {
            // Well-formed JSON that is not an object counts as an invalid field, not as malformed.
            throw JSONText.isWellFormed(body) ? .invalid(field: "publicKey") : .malformed
        }
        return fields.compactMapValues(\.value)
    }
}

/// The server's response to a first contact.
package struct FirstContactResponse: Hashable, Sendable {
    /// The id that the server assigned to the tracker.
    package let id: TrackerID
    /// The server's X25519 public key for this tracker only, 32 bytes.
    package let publicKey: [UInt8]
    /// The server's X25519 public key for finder tokens, 32 bytes. The same for all trackers, so that data sealed for
    /// it doesn't identify a tracker. `nil` when the server sends none.
    package let finderKey: [UInt8]?

    package init(id: TrackerID, publicKey: [UInt8], finderKey: [UInt8]? = nil) {
        self.id = id
        self.publicKey = publicKey
        self.finderKey = finderKey
    }

    private struct Body: Codable {
        var id: TrackerID
        var publicKey: String
        var finderKey: String?
    }

    /// Reads the response's body; returns `nil` for an invalid one.
    package init?(_ body: [UInt8]) {
        guard
            let read = JSONText.decode(Body.self, from: body),
            let publicKey = Hexadecimal.decoded(read.publicKey, count: 32)
        else { return nil }
        let finderKey = read.finderKey.flatMap { Hexadecimal.decoded($0, count: 32) }
        self.init(id: read.id, publicKey: publicKey, finderKey: finderKey)
    }

    /// Returns the response's body.
    package func encoded() -> [UInt8] {
        let finderKey = finderKey.map { Hexadecimal.encoded($0) }
        return JSONText.encode(Body(id: id, publicKey: Hexadecimal.encoded(publicKey), finderKey: finderKey))
    }
}
