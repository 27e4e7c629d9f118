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

    /// Reads a request's body.
    package static func read(_ body: [UInt8]) throws(FirstContactFailure) -> FirstContact {
        // JSON that is not an object counts as an invalid field, not as malformed.
        guard let json = JSONReader.value(of: body) else { throw .malformed }
        guard let publicKey = json["publicKey"]?.key else { throw .invalid(field: "publicKey") }
        guard let codeHash = json["codeHash"]?.key else { throw .invalid(field: "codeHash") }
        return FirstContact(publicKey: publicKey, codeHash: codeHash)
    }

    /// Returns the request's body.
    package func encoded() -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.member("codeHash", Hexadecimal.encoded(codeHash))
            json.member("publicKey", Hexadecimal.encoded(publicKey))
        }
        return json.bytes
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

    /// Reads the response's body; returns `nil` for an invalid one.
    package init?(_ body: [UInt8]) {
        guard let json = JSONReader.value(of: body), let id: TrackerID = json["id"]?.id(),
            let publicKey = json["publicKey"]?.key, let finderKey = try? json.optional("finderKey", \.text) ?? ""
        else { return nil }
        self.init(id: id, publicKey: publicKey, finderKey: Hexadecimal.decoded(finderKey, count: 32))
    }

    /// Returns the response's body.
    package func encoded() -> [UInt8] {
        var json = JSONText()
        json.object { json in
            if let finderKey { json.member("finderKey", Hexadecimal.encoded(finderKey)) }
            json.member("id", id)
            json.member("publicKey", Hexadecimal.encoded(publicKey))
        }
        return json.bytes
    }
}

extension JSONValue {
    /// The 32 bytes of a key or hash in hexadecimal digits.
    var key: [UInt8]? { text.flatMap { Hexadecimal.decoded($0, count: 32) } }

    /// The 16 bytes of a challenge in hexadecimal digits.
    var challenge: [UInt8]? { text.flatMap { Hexadecimal.decoded($0, count: TrackerBluetooth.challengeLength) } }
}
