import BlueZ
import Kernel
import Logging
import TrackerCore
import TrackerProtocol

/// The transport over a nearby phone.
struct BluetoothUplink: Sendable {
    let session: BluetoothSession
    private let peripheral: Peripheral
    private let timeoutSeconds: Int64
    private let logger: Logger

    /// The time in seconds within which a phone has to fetch the server's response.
    static let timeoutSeconds: Int64 = 15
    /// The minimum number of frames transferred per second.
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
        send: @escaping @Sendable (BluetoothSession.Signal) -> Void
    ) throws(BusError) {
        session = BluetoothSession(random: random, send: send)
        peripheral = try Peripheral(services: Self.services, adapter: adapter, delegate: session, logger: logger)
        self.timeoutSeconds = timeoutSeconds
        self.logger = logger
    }

    func start() { peripheral.start() }

    func stop() { peripheral.stop() }

    /// Sets the tracker's identity and advertises it.
    func become(_ identity: BluetoothSession.Identity, serviceData: [String: [UInt8]]) {
        session.become(identity)
        peripheral.advertise(
            Advertisement(
                serviceUUIDs: [TrackerBluetooth.serviceUUID],
                localName: TrackerBluetooth.localName(publicKey: identity.publicKey), serviceData: serviceData
            )
        )
    }

    /// Sends a message to the phone, in frames of the link's size.
    /// - Returns: the number of frames.
    @discardableResult
    func send(_ kind: BluetoothMessageKind, _ content: [UInt8]) -> Int {
        let frames = BluetoothMessage(kind, content).frames(mtu: session.mtu)
        for frame in frames { peripheral.notify(frame, from: TrackerBluetooth.outboxUUID) }
        return frames.count
    }

    func respondToNonOwner(_ answer: [UInt8]) { peripheral.notify(answer, from: NonOwnerService.characteristicUUID) }

    /// Sends a message to the server through the phone and returns the response; `nil` without an authentic response.
    func exchange(_ uplink: Uplink, over channel: TrackerChannel) async -> DownlinkResponse? {
        guard session.canSend(in: uplink.phase) else { return nil }
        let answers = session.answers()
        let session = session
        let frameCount = send(.uplink, channel.pack(uplink))
        let patience = timeoutSeconds + Int64(frameCount) / Self.slowFramesPerSecond
        let alarm = Task {
            guard (try? await Task.sleep(for: .seconds(patience))) != nil else { return }
            session.recordResponse(false)
            session.cancelResponses()
        }
        defer {
            alarm.cancel()
            session.cancelResponses()
        }
        for await answer in answers {
            do throws(DownlinkFailure) {
                let read = try channel.open(answer, counter: uplink.counter)
                session.recordResponse(true)
                return read
            } catch {
                // An old or forged response: the right one may still arrive.
                logger.notice("bluetooth: no authentic answer", metadata: ["failure": "\(error)"])
            }
        }
        return nil
    }
}
