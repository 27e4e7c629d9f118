import Kernel
import TrackerCore
import TrackerProtocol

/// How a tracker's messages get to the server: over a phone that is near, through Hologram's cloud where that is wanted, else
/// over the internet.
struct Roads: Sendable {
    let internet: ServerLink
    var bluetooth: BluetoothRoad?
    var cloud: CloudRoad?

    /// What came of a message, and what it cost on a link that is paid by the byte.
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
            if CloudRoad.carries(uplink, as: frames) {
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

    /// Whether a message that got no answer may be dropped rather than repeated. One that only looks for news would else
    /// keep positions from the cloud for as long as the server can't be reached; the next look comes at its own pace.
    static func isExpendable(_ uplink: Uplink) -> Bool {
        let isLocated = uplink.phase == .active || uplink.phase == .off
        return isLocated && uplink.fixes.isEmpty && uplink.acknowledgements.isEmpty
    }

    func stop() async throws {
        bluetooth?.stop()
        try await internet.shutdown()
    }
}

/// The tracker's end of its conversation with the server.
struct Conversation: Sendable {
    let tracker: TrackerID
    let keys: TrackerKeys
    let channel: TrackerChannel
}
