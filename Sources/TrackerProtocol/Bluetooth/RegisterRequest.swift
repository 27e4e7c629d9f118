package import Kernel

/// The server's request to pair a tracker with an account's item. A phone delivers it over Bluetooth.
package struct RegisterRequest: Hashable, Sendable {
    /// The tracker's id; becomes its id if it has none.
    package let tracker: TrackerID
    /// The server's X25519 public key for this tracker, 32 bytes.
    package let serverPublicKey: [UInt8]
    /// The binding that the tracker is to accept.
    package let binding: TrackerBindingID
    /// The tracker's challenge, 16 bytes, to which this request responds.
    package let challenge: [UInt8]
    /// The time of creation, by the server's clock.
    package let at: Instant
    /// The instant from which the request is invalid.
    package let expiresAt: Instant

    package init(
        tracker: TrackerID, serverPublicKey: [UInt8], binding: TrackerBindingID, challenge: [UInt8], at: Instant,
        expiresAt: Instant
    ) {
        self.tracker = tracker
        self.serverPublicKey = serverPublicKey
        self.binding = binding
        self.challenge = challenge
        self.at = at
        self.expiresAt = expiresAt
    }

    init?(_ body: [UInt8]) {
        guard
            let json = JSONReader.value(of: body), json["version"]?.whole == UplinkJSON.version,
            let tracker: TrackerID = json["tracker"]?.id(), let serverPublicKey = json["serverPublicKey"]?.key,
            let binding: TrackerBindingID = json["binding"]?.id(), let challenge = json["challenge"]?.challenge,
            let at = json["at"]?.instant, let expiresAt = json["expiresAt"]?.instant
        else { return nil }
        self.init(
            tracker: tracker, serverPublicKey: serverPublicKey, binding: binding, challenge: challenge, at: at,
            expiresAt: expiresAt
        )
    }

    func encoded() -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.member("at", at)
            json.member("binding", binding)
            json.member("challenge", Hexadecimal.encoded(challenge))
            json.member("expiresAt", expiresAt)
            json.member("serverPublicKey", Hexadecimal.encoded(serverPublicKey))
            json.member("tracker", tracker)
            json.member("version", UplinkJSON.version)
        }
        return json.bytes
    }
}

extension ServerChannel {
    /// Returns a signed register request, packed for Bluetooth.
    package func seal(_ request: RegisterRequest) -> [UInt8] { pack(request.encoded(), .register) }
}

/// A register request that the tracker has verified, with the resulting server and channel.
package struct VerifiedRegisterRequest: Sendable {
    package let request: RegisterRequest
    /// The id and the server's key, stored like those of a first contact.
    package let server: FirstContactResponse
    /// The channel to that server.
    package let channel: TrackerChannel
}

extension RegisterRequest {
    /// Verifies and reads a request on the tracker.
    ///
    /// The machine decides whether the tracker is free to accept it (``RegisterRefusal/bound``). The challenge can't be
    /// used again, whatever the result.
    /// - Parameters:
    ///   - content: the Bluetooth message's content.
    ///   - keyPair: the tracker's key pair.
    ///   - server: the stored result of the first contact; `nil` when there was none.
    ///   - challenge: the current challenge; `nil` when it has been used.
    ///   - now: the tracker's clock.
    package static func open(
        _ content: [UInt8], keyPair: KeyPair, server known: FirstContactResponse?, challenge: [UInt8]?, now: Instant
    ) throws(RegisterRefusal) -> VerifiedRegisterRequest {
        guard let packed = PackedMessage(content), let request = RegisterRequest(packed.sealed.body) else {
            throw .malformed
        }
        let server = known ?? FirstContactResponse(id: request.tracker, publicKey: request.serverPublicKey)
        guard packed.tracker == request.tracker, server.id == request.tracker,
            server.publicKey == request.serverPublicKey
        else { throw .otherParty }
        guard let keys = try? TrackerKeys(tracker: keyPair, serverPublicKey: server.publicKey) else {
            throw .signature
        }
        let sealed = packed.sealed
        let tag = Seal.verify(
            sealed.body, signature: sealed.signature, .register, tracker: server.id, key: keys.downlink
        )
        guard tag != nil else { throw .signature }
        guard request.challenge == challenge else { throw .replayed }
        guard now < request.expiresAt else { throw .expired }
        let channel = TrackerChannel(tracker: server.id, keys: keys)
        return VerifiedRegisterRequest(request: request, server: server, channel: channel)
    }
}
