import Foundation
package import Kernel

/// The server's word that an account wants a tracker for one of its items; a phone hands it over by Bluetooth.
package struct RegisterRequest: Hashable, Sendable {
    /// The tracker's id, from now on if it has none.
    package let tracker: TrackerID
    /// The server's X25519 public key for this tracker, 32 bytes.
    package let serverPublicKey: [UInt8]
    /// Whom the tracker is to serve.
    package let binding: TrackerBindingID
    /// The tracker's challenge, 16 bytes, that this answers.
    package let challenge: [UInt8]
    /// When it was made, by the server's clock.
    package let at: Instant
    /// From this instant on it must not be taken.
    package let expiresAt: Instant

    private struct Body: Codable {
        var version: Int
        var tracker: TrackerID
        var serverPublicKey: String
        var binding: TrackerBindingID
        var challenge: String
        var at: Instant
        var expiresAt: Instant
    }

    /// Makes a request.
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
            let body = JSONText.decode(Body.self, from: body), body.version == UplinkJSON.version,
            let serverPublicKey = Hex.decode(body.serverPublicKey, count: 32),
            let challenge = Hex.decode(body.challenge, count: TrackerBluetooth.challengeLength)
        else { return nil }
        self.init(
            tracker: body.tracker, serverPublicKey: serverPublicKey, binding: body.binding, challenge: challenge,
            at: body.at, expiresAt: body.expiresAt
        )
    }

    func encoded() -> [UInt8] {
        JSONText.encode(
            Body(
                version: UplinkJSON.version, tracker: tracker, serverPublicKey: Hex.encode(serverPublicKey),
                binding: binding, challenge: Hex.encode(challenge), at: at, expiresAt: expiresAt
            )
        )
    }
}

extension ServerChannel {
    /// A register request, packed for Bluetooth.
    package func seal(_ request: RegisterRequest) -> [UInt8] { pack(request.encoded(), .register) }
}

/// A register request that a tracker believes, with what follows from it.
package struct BelievedRequest: Sendable {
    /// The request.
    package let request: RegisterRequest
    /// Id and server's key, to be kept as those of a first contact.
    package let server: FirstContactAnswer
    /// The conversation with that server from now on.
    package let channel: TrackerChannel
}

extension RegisterRequest {
    /// Checks and reads a request as a tracker.
    ///
    /// Whether the tracker is free to take it (``RegisterRefusal/bound``) is the machine's to say. The challenge is
    /// spent whatever comes of this.
    /// - Parameters:
    ///   - content: the Bluetooth message's content.
    ///   - keyPair: the tracker's.
    ///   - server: what the tracker keeps of its first contact; `nil` when it has had none.
    ///   - challenge: the present one; `nil` when it is spent.
    ///   - now: the tracker's clock.
    package static func open(
        _ content: [UInt8], keyPair: KeyPair, server known: FirstContactAnswer?, challenge: [UInt8]?, now: Instant
    ) throws(RegisterRefusal) -> BelievedRequest {
        guard let packed = PackedMessage(content), let request = RegisterRequest(packed.sealed.body) else {
            throw .malformed
        }
        let server = known ?? FirstContactAnswer(id: request.tracker, publicKey: request.serverPublicKey)
        guard packed.tracker == request.tracker, server.id == request.tracker,
            server.publicKey == request.serverPublicKey
        else { throw .foreign }
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
        return BelievedRequest(request: request, server: server, channel: channel)
    }
}
