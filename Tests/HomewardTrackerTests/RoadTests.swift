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

@Suite struct RoadTests {
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
            CloudRoad.carries(uplink, as: CompactFrames.frames(of: uplink, keys: keys))
        }
        #expect(carries(try uplink(.active, fixes: 3, acknowledgements: 1)))
        #expect(carries(try uplink(.off, acknowledgements: 1)))
        #expect(carries(try uplink(.releasing, acknowledgements: 1)))
        #expect(!carries(try uplink(.active)))
        #expect(!carries(try uplink(.registering, acknowledgements: 1)))
        #expect(!carries(try uplink(.bound, acknowledgements: 1)))
    }

    @Test("Only a poll of a tracker with an owner may be dropped") func expendable() throws {
        #expect(Roads.isExpendable(try uplink(.active)))
        #expect(Roads.isExpendable(try uplink(.off)))
        #expect(!Roads.isExpendable(try uplink(.active, fixes: 1)))
        #expect(!Roads.isExpendable(try uplink(.off, acknowledgements: 1)))
        #expect(!Roads.isExpendable(try uplink(.registering)))
        #expect(!Roads.isExpendable(try uplink(.bound)))
        #expect(!Roads.isExpendable(try uplink(.releasing)))
    }

    @Test("The socket's request is one JSON text and two line feeds; its response is a code") func socket() throws {
        let request = try #require(CloudRoad.request([[1, 2], [3]], deviceKey: "ABCDEFGH"))
        #expect(String(decoding: request, as: UTF8.self) == #"{"d":"AQID","k":"ABCDEFGH","t":["homeward"]}"# + "\n\n")
        #expect(CloudRoad.code(Array("[0,0]".utf8)) == 0)
        #expect(CloudRoad.code(Array("[3,0]\n".utf8)) == 3)
        #expect(CloudRoad.code(Array("[0,".utf8)) == nil)
        #expect(CloudRoad.code(Array("nonsense]".utf8)) == nil)
    }

    @Test("The listener passes on complete messages and drops those above the limit") func listener() async throws {
        let (messages, sink) = AsyncStream.makeStream(of: [UInt8].self)
        let listener = try await CloudListener(host: "127.0.0.1", port: 0) { sink.yield($0) }
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
        private let signals = Mutex<[BluetoothDesk.Signal]>([])
        func hear(_ signal: BluetoothDesk.Signal) { signals.withLock { $0.append(signal) } }
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

    private func desk(_ heard: Heard) -> BluetoothDesk {
        let desk = BluetoothDesk(random: SystemRandom()) { heard.hear($0) }
        desk.become(.init(id: nil, publicKey: Array(0..<32), codeHash: Array(0..<32), phase: .registering))
        return desk
    }

    private func challenge(_ desk: BluetoothDesk, _ central: Central) throws -> [UInt8] {
        let value = try #require(desk.value(of: TrackerBluetooth.identityUUID, for: central))
        return try #require(BluetoothIdentity(value)).challenge
    }

    @Test("A challenge is valid for one connection and one request") func challenges() throws {
        let heard = Heard()
        let desk = desk(heard)
        let phone = Central(path: "/a", mtu: 247)
        let other = Central(path: "/b", mtu: 247)
        desk.happened(.connected(phone))
        let first = try challenge(desk, phone)
        #expect(try challenge(desk, phone) == first)
        #expect(try challenge(desk, other) != first)
        for frame in BluetoothMessage(.registerRequest, [1, 2, 3]).frames() {
            #expect(desk.take(frame, for: TrackerBluetooth.inboxUUID, from: phone))
        }
        let second = try challenge(desk, phone)
        #expect(second != first)
        desk.happened(.disconnected("/a"))
        desk.happened(.connected(phone))
        #expect(try challenge(desk, phone) != second)
        #expect(heard.requests == [first])
    }

    @Test("Only a phone with the owner's verified request, connected alone, is a link") func link() throws {
        let heard = Heard()
        let desk = desk(heard)
        let outbox = TrackerBluetooth.outboxUUID
        desk.happened(.connected(Central(path: "/stranger", mtu: nil)))
        desk.happened(.subscribed(outbox))
        #expect(!desk.isLinked)
        desk.happened(.disconnected("/stranger"))
        desk.happened(.connected(Central(path: "/phone", mtu: nil)))
        desk.believe("/phone")
        #expect(desk.isLinked)
        desk.happened(.connected(Central(path: "/stranger", mtu: nil)))
        #expect(!desk.isLinked)
        desk.happened(.disconnected("/stranger"))
        #expect(desk.isLinked)
        desk.happened(.unsubscribed(outbox))
        desk.happened(.subscribed(outbox))
        desk.become(.init(id: nil, publicKey: Array(1..<33), codeHash: Array(0..<32), phase: .unbound))
        #expect(!desk.isLinked)
        #expect(heard.links == [true, false, true, false, true, false])
    }

    @Test("Frames fit the smallest current packet size of all connected centrals")
    func packets() throws {
        let desk = desk(Heard())
        #expect(desk.mtu == nil)
        desk.happened(.connected(Central(path: "/a", mtu: nil)))
        _ = try challenge(desk, Central(path: "/a", mtu: 23))
        #expect(desk.mtu == 23)
        _ = desk.take([0xc0, 0x4e], for: TrackerBluetooth.inboxUUID, from: Central(path: "/a", mtu: 517))
        #expect(desk.mtu == 517)
        _ = try challenge(desk, Central(path: "/b", mtu: 100))
        #expect(desk.mtu == 100)
        desk.happened(.disconnected("/b"))
        #expect(desk.mtu == 517)
        desk.happened(.disconnected("/a"))
        #expect(desk.mtu == nil)
    }

    @Test("Any subscriber may deliver a release confirmation, but nothing else") func farewell() async throws {
        let heard = Heard()
        let desk = desk(heard)
        desk.become(.init(id: nil, publicKey: Array(0..<32), codeHash: Array(0..<32), phase: .active))
        desk.happened(.connected(Central(path: "/stranger", mtu: nil)))
        desk.happened(.subscribed(TrackerBluetooth.outboxUUID))
        #expect(!desk.isWorthAsking(in: .active))
        #expect(!desk.isWorthAsking(in: .releasing))
        desk.become(.init(id: nil, publicKey: Array(0..<32), codeHash: Array(0..<32), phase: .releasing))
        #expect(desk.isWorthAsking(in: .releasing))
        // An earlier message, which may contain positions.
        #expect(!desk.isWorthAsking(in: .active))
        #expect(!desk.isLinked)
        #expect(heard.links.isEmpty)
        let answers = desk.answers()
        desk.happened(.unsubscribed(TrackerBluetooth.outboxUUID))
        for await _ in answers { Issue.record("an answer out of nowhere") }
        #expect(!desk.isWorthAsking(in: .releasing))
    }

    @Test("A silent phone is used again as soon as it offers to deliver a message") func silence()
        throws
    {
        let desk = desk(Heard())
        let phone = Central(path: "/phone", mtu: nil)
        desk.happened(.connected(phone))
        desk.happened(.subscribed(TrackerBluetooth.outboxUUID))
        desk.believe("/phone")
        desk.noteAnswer(false)
        #expect(!desk.isWorthAsking(in: .active))
        for frame in BluetoothMessage(.nudge, []).frames() {
            #expect(desk.take(frame, for: TrackerBluetooth.inboxUUID, from: phone))
        }
        #expect(desk.isWorthAsking(in: .active))
    }

    @Test("An exchange ends with its link") func exchangeEnds() async throws {
        let heard = Heard()
        let desk = desk(heard)
        desk.happened(.subscribed(TrackerBluetooth.outboxUUID))
        desk.happened(.connected(Central(path: "/phone", mtu: nil)))
        desk.believe("/phone")
        let answers = desk.answers()
        desk.happened(.disconnected("/phone"))
        for await _ in answers { Issue.record("an answer out of nowhere") }
        for await _ in desk.answers() { Issue.record("an answer without a link") }
    }

    @Test("Frames out of order are rejected, and the next message is read") func frames() throws {
        let desk = desk(Heard())
        let phone = Central(path: "/a", mtu: nil)
        let frames = BluetoothMessage(.answer, Array(repeating: 7, count: 400)).frames()
        #expect(frames.count == 3)
        #expect(!desk.take(frames[1], for: TrackerBluetooth.inboxUUID, from: phone))
        #expect(desk.take(frames[0], for: TrackerBluetooth.inboxUUID, from: phone))
        #expect(!desk.take(frames[2], for: TrackerBluetooth.inboxUUID, from: phone))
        #expect(!desk.take([1], for: TrackerBluetooth.identityUUID, from: phone))
    }
}
