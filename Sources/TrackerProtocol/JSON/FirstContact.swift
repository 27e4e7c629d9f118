import Foundation
import Kernel

/// Why a first contact is not taken.
package enum FirstContactFailure: Error, Hashable, Sendable {
    /// Not JSON.
    case malformed
    /// That field is missing, of the wrong type, or not 64 hexadecimal digits.
    case invalid(field: String)
}

/// What a tracker tells a server that doesn't know it yet: `POST /trackers`.
package struct FirstContact: Hashable, Sendable {
    /// The tracker's X25519 public key, 32 bytes.
    package let publicKey: [UInt8]
    /// ``ClaimCode/hash`` of the code that the tracker shows, 32 bytes.
    package let codeHash: [UInt8]

    /// Makes a first contact.
    package init(publicKey: [UInt8], codeHash: [UInt8]) {
        self.publicKey = publicKey
        self.codeHash = codeHash
    }

    private struct Body: Codable {
        var publicKey: String
        var codeHash: String
    }

    /// Reads the body of a request.
    package static func read(_ body: [UInt8]) throws(FirstContactFailure) -> FirstContact {
        let fields = try fields(of: body)
        guard let publicKey = Hex.decode(fields["publicKey"] ?? "", count: 32) else {
            throw .invalid(field: "publicKey")
        }
        guard let codeHash = Hex.decode(fields["codeHash"] ?? "", count: 32) else {
            throw .invalid(field: "codeHash")
        }
        return FirstContact(publicKey: publicKey, codeHash: codeHash)
    }

    /// The body of the request.
    package func encoded() -> [UInt8] {
        JSONText.encode(Body(publicKey: Hex.encode(publicKey), codeHash: Hex.encode(codeHash)))
    }

    private static func fields(of body: [UInt8]) throws(FirstContactFailure) -> [String: String] {
        guard let fields = JSONText.decode([String: Lossy<String>].self, from: body) else {
            // Well-formed JSON that is no object is readable, only wrong.
            throw JSONText.isWellFormed(body) ? .invalid(field: "publicKey") : .malformed
        }
        return fields.compactMapValues(\.value)
    }
}

/// What the server answers to a first contact.
package struct FirstContactAnswer: Hashable, Sendable {
    /// The tracker's id from now on.
    package let id: TrackerID
    /// The server's X25519 public key for this tracker alone, 32 bytes.
    package let publicKey: [UInt8]
    /// The server's X25519 public key for finders, 32 bytes; the same for all trackers, so that what is sealed for it
    /// tells nobody whose it is. `nil` when the server names none.
    package let finderKey: [UInt8]?

    /// Makes an answer.
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

    /// Reads the body of the answer; `nil` when it is none.
    package init?(_ body: [UInt8]) {
        guard
            let read = JSONText.decode(Body.self, from: body),
            let publicKey = Hex.decode(read.publicKey, count: 32)
        else { return nil }
        let finderKey = read.finderKey.flatMap { Hex.decode($0, count: 32) }
        self.init(id: read.id, publicKey: publicKey, finderKey: finderKey)
    }

    /// The body of the answer.
    package func encoded() -> [UInt8] {
        let finderKey = finderKey.map(Hex.encode)
        return JSONText.encode(Body(id: id, publicKey: Hex.encode(publicKey), finderKey: finderKey))
    }
}
