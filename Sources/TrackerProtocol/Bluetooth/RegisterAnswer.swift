import Foundation
package import Kernel

/// A tracker's signed word that it has bound itself, by which the server pairs it.
package struct RegisterAnswer: Hashable, Sendable {
    /// The tracker.
    package let tracker: TrackerID
    /// Whom it serves now.
    package let binding: TrackerBindingID
    /// The challenge of the request that it took, 16 bytes.
    package let challenge: [UInt8]
    /// When, by the tracker's clock.
    package let at: Instant

    private struct Body: Codable {
        var version: Int
        var tracker: TrackerID
        var binding: TrackerBindingID
        var challenge: String
        var state: String
        var at: Instant
    }

    /// Makes an answer.
    package init(tracker: TrackerID, binding: TrackerBindingID, challenge: [UInt8], at: Instant) {
        self.tracker = tracker
        self.binding = binding
        self.challenge = challenge
        self.at = at
    }

    /// The answer to a request that the tracker took.
    package init(to request: RegisterRequest, at: Instant) {
        self.init(tracker: request.tracker, binding: request.binding, challenge: request.challenge, at: at)
    }

    fileprivate init?(_ body: [UInt8]) {
        guard
            let body = JSONText.decode(Body.self, from: body), body.version == UplinkJSON.version,
            body.state == TrackerPhase.bound.rawValue,
            let challenge = Hex.decode(body.challenge, count: TrackerBluetooth.challengeLength)
        else { return nil }
        self.init(tracker: body.tracker, binding: body.binding, challenge: challenge, at: body.at)
    }

    fileprivate func encoded() -> [UInt8] {
        JSONText.encode(
            Body(
                version: UplinkJSON.version, tracker: tracker, binding: binding, challenge: Hex.encode(challenge),
                state: TrackerPhase.bound.rawValue, at: at
            )
        )
    }
}

/// Why the server doesn't take a register answer.
package enum RegisterAnswerFailure: Error, Hashable, Sendable {
    /// It can't be read.
    case malformed
    /// It is another tracker's.
    case foreign
    /// No or a wrong signature.
    case unauthenticated
}

extension TrackerChannel {
    /// A register answer, packed for Bluetooth.
    package func seal(_ answer: RegisterAnswer) -> [UInt8] { pack(answer.encoded(), .pairing) }
}

extension ServerChannel {
    /// Checks and reads a packed register answer. Whether its challenge and binding are what was asked for is the
    /// caller's to compare.
    package func open(_ answer: PackedMessage) throws(RegisterAnswerFailure) -> RegisterAnswer {
        guard answer.tracker == tracker else { throw .foreign }
        let sealed = answer.sealed
        let tag = Seal.verify(sealed.body, signature: sealed.signature, .pairing, tracker: tracker, key: keys.uplink)
        guard tag != nil else { throw .unauthenticated }
        guard let read = RegisterAnswer(sealed.body) else { throw .malformed }
        guard read.tracker == tracker else { throw .foreign }
        return read
    }
}
