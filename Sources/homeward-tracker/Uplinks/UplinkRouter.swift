import Kernel
import TrackerCore
import TrackerProtocol

/// The transports for a tracker's messages: a nearby phone first, then Hologram's cloud if configured, then the
/// internet.
struct UplinkRouter: Sendable {
    let internet: ServerClient
    var bluetooth: BluetoothUplink?
    var cloud: HologramSocket?

    /// The result of a message, and its bytes on a metered link.
    struct Outcome: Sendable {
        let event: TrackerEvent
        let bytes: Int
    }

    func send(_ uplink: Uplink, over conversation: Conversation) async -> Outcome {
        if let answer = await bluetooth?.exchange(uplink, over: conversation.channel) {
            return Outcome(event: .answered(answer), bytes: 0)
        }
        if let cloud {
            let frames = CompactFrames.frames(of: uplink, keys: conversation.keys)
            if HologramSocket.carries(uplink, as: frames) {
                let (isTaken, bytes) = await cloud.deliver(frames)
                return Outcome(event: isTaken ? .forwarded : .unanswered, bytes: bytes)
            }
        }
        let (event, bytes) = await internet.send(uplink, over: conversation.channel, of: conversation.tracker)
        if cloud != nil, event == .unanswered, Self.isExpendable(uplink) {
            return Outcome(event: .forwarded, bytes: bytes)
        }
        return Outcome(event: event, bytes: bytes)
    }

    /// Returns whether an unanswered message can be dropped instead of repeated. Repeating a mere poll would keep
    /// positions from the cloud while the server is unreachable; the next poll follows at its own interval.
    static func isExpendable(_ uplink: Uplink) -> Bool {
        let isLocated = uplink.phase == .active || uplink.phase == .off
        return isLocated && uplink.fixes.isEmpty && uplink.acknowledgements.isEmpty
    }

    func stop() async throws {
        bluetooth?.stop()
        try await internet.shutdown()
    }
}

/// The tracker's end of its channel to the server.
struct Conversation: Sendable {
    let tracker: TrackerID
    let keys: TrackerKeys
    let channel: TrackerChannel
}
