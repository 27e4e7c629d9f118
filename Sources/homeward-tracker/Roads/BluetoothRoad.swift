import BlueZ
import Kernel
import Logging
import TrackerCore
import TrackerProtocol

/// The road over a phone that is near.
struct BluetoothRoad: Sendable {
    let desk: BluetoothDesk
    private let peripheral: Peripheral
    private let timeoutSeconds: Int64
    private let logger: Logger

    /// How long a phone may take to fetch the server's answer.
    static let timeoutSeconds: Int64 = 15
    /// Frames that get through in a second, at the least.
    private static let slowFramesPerSecond: Int64 = 40

    private static let services = [
        GATTService(
            uuid: TrackerBluetooth.serviceUUID,
            characteristics: [
                GATTCharacteristic(uuid: TrackerBluetooth.identityUUID, flags: [.read]),
                GATTCharacteristic(uuid: TrackerBluetooth.inboxUUID, flags: [.write, .writeWithoutResponse]),
                GATTCharacteristic(uuid: TrackerBluetooth.outboxUUID, flags: [.notify]),
            ]
        ),
        NonOwnerService.service,
    ]

    init(
        adapter: String?, timeoutSeconds: Int64 = Self.timeoutSeconds, random: any RandomSource, logger: Logger,
        tell: @escaping @Sendable (BluetoothDesk.Signal) -> Void
    ) throws(BusFailure) {
        desk = BluetoothDesk(random: random, tell: tell)
        peripheral = try Peripheral(services: Self.services, adapter: adapter, delegate: desk, logger: logger)
        self.timeoutSeconds = timeoutSeconds
        self.logger = logger
    }

    func start() { peripheral.start() }

    func stop() { peripheral.stop() }

    /// Says who the tracker is, and shows it to those around.
    func become(_ identity: BluetoothDesk.Identity, serviceData: [String: [UInt8]]) {
        desk.become(identity)
        peripheral.advertise(
            Advertisement(
                serviceUUIDs: [TrackerBluetooth.serviceUUID],
                localName: TrackerBluetooth.localName(publicKey: identity.publicKey), serviceData: serviceData
            )
        )
    }

    /// Sends a message to the phone, in frames that its link has room for.
    /// - Returns: how many frames it took.
    @discardableResult
    func send(_ kind: BluetoothMessageKind, _ content: [UInt8]) -> Int {
        let frames = BluetoothMessage(kind, content).frames(mtu: desk.mtu)
        for frame in frames { peripheral.notify(frame, from: TrackerBluetooth.outboxUUID) }
        return frames.count
    }

    func answerNonOwner(_ answer: [UInt8]) { peripheral.notify(answer, from: NonOwnerService.characteristicUUID) }

    /// Has the phone carry a message to the server and its answer back; `nil` when no authentic answer came.
    func exchange(_ uplink: Uplink, over channel: TrackerChannel) async -> DownlinkAnswer? {
        guard desk.isWorthAsking(in: uplink.phase) else { return nil }
        let answers = desk.answers()
        let desk = desk
        let frameCount = send(.uplink, channel.pack(uplink))
        let patience = timeoutSeconds + Int64(frameCount) / Self.slowFramesPerSecond
        let alarm = Task {
            guard (try? await Task.sleep(for: .seconds(patience))) != nil else { return }
            desk.noteAnswer(false)
            desk.expectNothing()
        }
        defer {
            alarm.cancel()
            desk.expectNothing()
        }
        for await answer in answers {
            do throws(DownlinkFailure) {
                let read = try channel.open(answer, counter: uplink.counter)
                desk.noteAnswer(true)
                return read
            } catch {
                // An old answer, or one that someone made up: the right one may still come.
                logger.notice("bluetooth: no authentic answer", metadata: ["failure": "\(error)"])
            }
        }
        return nil
    }
}
