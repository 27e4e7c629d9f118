import BlueZ
import Foundation
import Kernel
import NIOCore
import NIOPosix
import Synchronization
import Testing
import TrackerCore
import TrackerProtocol

@testable import homeward_tracker

@Suite struct UplinkTests {
    private let now = Instant(millisecondsSince1970: 1_772_366_400_000)

    private func uplink(_ phase: TrackerPhase, fixes: Int = 0, acknowledgements: Int = 0) throws -> Uplink {
        Uplink(
            counter: 7, at: now, phase: phase, mode: .cellular, batteryPercent: 80,
            fixes: try (0..<fixes).map { number in
                try TrackerFix(at: now.adding(seconds: Int64(number)), latitude: 48, longitude: 11)
            },
            acknowledgements: (0..<acknowledgements).map { number in
                Acknowledgement(id: TrackerCommandID(at: now, series: Int64(number)), result: .applied)
            }
        )
    }

    private func keys() throws -> TrackerKeys {
        let server = try KeyPair(random: SystemRandom())
        return try TrackerKeys(tracker: try KeyPair(random: SystemRandom()), serverPublicKey: server.publicKey)
    }

    @Test("The cloud carries positions and acknowledgements, but nothing that needs a response") func carried() throws {
        let keys = try keys()
        func carries(_ uplink: Uplink) -> Bool {
            HologramSocket.carries(uplink, as: CompactFrames.frames(of: uplink, keys: keys))
        }
        #expect(carries(try uplink(.active, fixes: 3, acknowledgements: 1)))
        #expect(carries(try uplink(.off, acknowledgements: 1)))
        #expect(carries(try uplink(.releasing, acknowledgements: 1)))
        #expect(!carries(try uplink(.active)))
        #expect(!carries(try uplink(.registering, acknowledgements: 1)))
        #expect(!carries(try uplink(.bound, acknowledgements: 1)))
    }

    @Test("Only a poll of a tracker with an owner may be dropped") func expendable() throws {
        #expect(UplinkRouter.isExpendable(try uplink(.active)))
        #expect(UplinkRouter.isExpendable(try uplink(.off)))
        #expect(!UplinkRouter.isExpendable(try uplink(.active, fixes: 1)))
        #expect(!UplinkRouter.isExpendable(try uplink(.off, acknowledgements: 1)))
        #expect(!UplinkRouter.isExpendable(try uplink(.registering)))
        #expect(!UplinkRouter.isExpendable(try uplink(.bound)))
        #expect(!UplinkRouter.isExpendable(try uplink(.releasing)))
    }

    @Test("The socket's request is one JSON text and two line feeds; its response is a code") func socket() throws {
        let request = try #require(HologramSocket.request([[1, 2], [3]], deviceKey: "ABCDEFGH"))
        #expect(String(decoding: request, as: UTF8.self) == #"{"d":"AQID","k":"ABCDEFGH","t":["homeward"]}"# + "\n\n")
        #expect(HologramSocket.code(Array("[0,0]".utf8)) == 0)
        #expect(HologramSocket.code(Array("[3,0]\n".utf8)) == 3)
        #expect(HologramSocket.code(Array("[0,".utf8)) == nil)
        #expect(HologramSocket.code(Array("nonsense]".utf8)) == nil)
    }

    @Test("The listener passes on complete messages and drops those above the limit") func listener() async throws {
        let (messages, sink) = AsyncStream.makeStream(of: [UInt8].self)
        let listener = try await HologramListener(host: "127.0.0.1", port: 0) { sink.yield($0) }
        var iterator = messages.makeAsyncIterator()
        let long = try await TCPConnection(host: "127.0.0.1", port: listener.port, connectSeconds: 5)
        long.send(Array(repeating: 1, count: Limits.cloudMessageBytes + 1))
        for await _ in long.bytes {}
        let whole = try await TCPConnection(host: "127.0.0.1", port: listener.port, connectSeconds: 5)
        whole.send([0xf2, 1, 2])
        whole.send([3])
        whole.close()
        #expect(await iterator.next() == [0xf2, 1, 2, 3])
        await listener.close()
    }

    // MARK: Bluetooth

    private final class Heard: Sendable {
        private let signals = Mutex<[BluetoothSession.Signal]>([])
        func hear(_ signal: BluetoothSession.Signal) { signals.withLock { $0.append(signal) } }
        var links: [Bool] {
            signals.withLock { signals in
                signals.compactMap { signal in if case .link(let isUp) = signal { isUp } else { nil } }
            }
        }
        var requests: [[UInt8]?] {
            signals.withLock { signals in
                signals.compactMap { signal in
                    if case .registerRequest(_, let challenge, _) = signal { .some(challenge) } else { nil }
                }
            }
        }
    }

    private func session(_ heard: Heard) -> BluetoothSession {
        let session = BluetoothSession(random: SystemRandom()) { heard.hear($0) }
        session.become(.init(id: nil, publicKey: Array(0..<32), codeHash: Array(0..<32), phase: .registering))
        return session
    }

    private func challenge(_ session: BluetoothSession, _ central: Central) throws -> [UInt8] {
        let value = try #require(session.value(of: TrackerBluetooth.identityUUID, for: central))
        return try #require(BluetoothIdentity(value)).challenge
    }

    @Test("A challenge is valid for one connection and one request") func challenges() throws {
        let heard = Heard()
        let session = session(heard)
        let phone = Central(path: "/a", mtu: 247)
        let other = Central(path: "/b", mtu: 247)
        session.happened(.connected(phone))
        let first = try challenge(session, phone)
        #expect(try challenge(session, phone) == first)
        #expect(try challenge(session, other) != first)
        for frame in BluetoothMessage(.registerRequest, [1, 2, 3]).frames() {
            #expect(session.receive(frame, for: TrackerBluetooth.inboxUUID, from: phone))
        }
        let second = try challenge(session, phone)
        #expect(second != first)
        session.happened(.disconnected("/a"))
        session.happened(.connected(phone))
        #expect(try challenge(session, phone) != second)
        #expect(heard.requests == [first])
    }

    @Test("Only a phone with the owner's verified request, connected alone, is a link") func link() throws {
        let heard = Heard()
        let session = session(heard)
        let outbox = TrackerBluetooth.outboxUUID
        session.happened(.connected(Central(path: "/stranger", mtu: nil)))
        session.happened(.subscribed(outbox))
        #expect(!session.isLinked)
        session.happened(.disconnected("/stranger"))
        session.happened(.connected(Central(path: "/phone", mtu: nil)))
        session.believe("/phone")
        #expect(session.isLinked)
        session.happened(.connected(Central(path: "/stranger", mtu: nil)))
        #expect(!session.isLinked)
        session.happened(.disconnected("/stranger"))
        #expect(session.isLinked)
        session.happened(.unsubscribed(outbox))
        session.happened(.subscribed(outbox))
        session.become(.init(id: nil, publicKey: Array(1..<33), codeHash: Array(0..<32), phase: .unbound))
        #expect(!session.isLinked)
        #expect(heard.links == [true, false, true, false, true, false])
    }

    @Test("Frames fit the smallest current packet size of all connected centrals")
    func packets() throws {
        let session = session(Heard())
        #expect(session.mtu == nil)
        session.happened(.connected(Central(path: "/a", mtu: nil)))
        _ = try challenge(session, Central(path: "/a", mtu: 23))
        #expect(session.mtu == 23)
        _ = session.receive([0xc0, 0x4e], for: TrackerBluetooth.inboxUUID, from: Central(path: "/a", mtu: 517))
        #expect(session.mtu == 517)
        _ = try challenge(session, Central(path: "/b", mtu: 100))
        #expect(session.mtu == 100)
        session.happened(.disconnected("/b"))
        #expect(session.mtu == 517)
        session.happened(.disconnected("/a"))
        #expect(session.mtu == nil)
    }

    @Test("Any subscriber may deliver a release confirmation, but nothing else") func releaseConfirmation() async throws
    {
        let heard = Heard()
        let session = session(heard)
        session.become(.init(id: nil, publicKey: Array(0..<32), codeHash: Array(0..<32), phase: .active))
        session.happened(.connected(Central(path: "/stranger", mtu: nil)))
        session.happened(.subscribed(TrackerBluetooth.outboxUUID))
        #expect(!session.canSend(in: .active))
        #expect(!session.canSend(in: .releasing))
        session.become(.init(id: nil, publicKey: Array(0..<32), codeHash: Array(0..<32), phase: .releasing))
        #expect(session.canSend(in: .releasing))
        // An earlier message, which may contain positions.
        #expect(!session.canSend(in: .active))
        #expect(!session.isLinked)
        #expect(heard.links.isEmpty)
        let answers = session.answers()
        session.happened(.unsubscribed(TrackerBluetooth.outboxUUID))
        for await _ in answers { Issue.record("an answer out of nowhere") }
        #expect(!session.canSend(in: .releasing))
    }

    @Test("A silent phone is used again as soon as it offers to deliver a message") func silence()
        throws
    {
        let session = session(Heard())
        let phone = Central(path: "/phone", mtu: nil)
        session.happened(.connected(phone))
        session.happened(.subscribed(TrackerBluetooth.outboxUUID))
        session.believe("/phone")
        session.recordResponse(false)
        #expect(!session.canSend(in: .active))
        for frame in BluetoothMessage(.nudge, []).frames() {
            #expect(session.receive(frame, for: TrackerBluetooth.inboxUUID, from: phone))
        }
        #expect(session.canSend(in: .active))
    }

    @Test("An exchange ends with its link") func exchangeEnds() async throws {
        let heard = Heard()
        let session = session(heard)
        session.happened(.subscribed(TrackerBluetooth.outboxUUID))
        session.happened(.connected(Central(path: "/phone", mtu: nil)))
        session.believe("/phone")
        let answers = session.answers()
        session.happened(.disconnected("/phone"))
        for await _ in answers { Issue.record("an answer out of nowhere") }
        for await _ in session.answers() { Issue.record("an answer without a link") }
    }

    @Test("Frames out of order are rejected, and the next message is read") func frames() throws {
        let session = session(Heard())
        let phone = Central(path: "/a", mtu: nil)
        let frames = BluetoothMessage(.answer, Array(repeating: 7, count: 400)).frames()
        #expect(frames.count == 3)
        #expect(!session.receive(frames[1], for: TrackerBluetooth.inboxUUID, from: phone))
        #expect(session.receive(frames[0], for: TrackerBluetooth.inboxUUID, from: phone))
        #expect(!session.receive(frames[2], for: TrackerBluetooth.inboxUUID, from: phone))
        #expect(!session.receive([1], for: TrackerBluetooth.identityUUID, from: phone))
    }
}
