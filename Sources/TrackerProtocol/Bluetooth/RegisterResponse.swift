package import Kernel

/// A tracker's signed confirmation that it has bound itself. The server pairs it on this evidence.
package struct RegisterResponse: Hashable, Sendable {
    package let tracker: TrackerID
    /// The tracker's new binding.
    package let binding: TrackerBindingID
    /// The challenge of the accepted request, 16 bytes.
    package let challenge: [UInt8]
    /// The time of the binding, by the tracker's clock.
    package let at: Instant

    package init(tracker: TrackerID, binding: TrackerBindingID, challenge: [UInt8], at: Instant) {
        self.tracker = tracker
        self.binding = binding
        self.challenge = challenge
        self.at = at
    }

    /// Creates the answer to an accepted request.
    package init(to request: RegisterRequest, at: Instant) {
        self.init(tracker: request.tracker, binding: request.binding, challenge: request.challenge, at: at)
    }

    fileprivate init?(_ body: [UInt8]) {
        guard
            let json = JSONReader.value(of: body), json["version"]?.whole == UplinkJSON.version,
            json["state"]?.text == TrackerPhase.bound.rawValue, let tracker: TrackerID = json["tracker"]?.id(),
            let binding: TrackerBindingID = json["binding"]?.id(), let challenge = json["challenge"]?.challenge,
            let at = json["at"]?.instant
        else { return nil }
        self.init(tracker: tracker, binding: binding, challenge: challenge, at: at)
    }

    fileprivate func encoded() -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.member("at", at)
            json.member("binding", binding)
            json.member("challenge", Hexadecimal.encoded(challenge))
            json.member("state", TrackerPhase.bound.rawValue)
            json.member("tracker", tracker)
            json.member("version", UplinkJSON.version)
        }
        return json.bytes
    }
}

/// Thrown when the server rejects a register response.
package enum RegisterResponseFailure: Error, Hashable, Sendable {
    /// The answer can't be read.
    case malformed
    /// The answer is from another tracker.
    case otherTracker
    /// The signature is missing or wrong.
    case unauthenticated
}

extension TrackerChannel {
    /// Returns a signed register response, packed for Bluetooth.
    package func seal(_ answer: RegisterResponse) -> [UInt8] { pack(answer.encoded(), .pairing) }
}

extension ServerChannel {
    /// Verifies and reads a packed register response. The caller compares its challenge and binding with those
    /// requested.
    package func open(_ answer: PackedMessage) throws(RegisterResponseFailure) -> RegisterResponse {
        guard answer.tracker == tracker else { throw .otherTracker }
        let sealed = answer.sealed
        let tag = Seal.verify(sealed.body, signature: sealed.signature, .pairing, tracker: tracker, key: keys.uplink)
        guard tag != nil else { throw .unauthenticated }
        guard let read = RegisterResponse(sealed.body) else { throw .malformed }
        guard read.tracker == tracker else { throw .otherTracker }
        return read
    }
}
