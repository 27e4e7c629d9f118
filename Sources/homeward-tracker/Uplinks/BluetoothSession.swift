import BlueZ
import Kernel
import Synchronization
import TrackerProtocol

/// The state that the Bluetooth thread needs immediately: identity, challenges, unfinished messages. Everything else is
/// sent to the runner as a ``Signal``.
final class BluetoothSession: PeripheralDelegate {
    /// An event for the runner.
    enum Signal: Sendable {
        /// A phone that delivered the owner's verified register request connected (`true`) or left (`false`).
        case link(Bool)
        /// A phone delivers the server's response to a first contact.
        case firstContact(FirstContactResponse)
        /// A phone delivers a register request. `challenge` is the one that it may refer to; it can't be used again.
        case registerRequest(content: [UInt8], challenge: [UInt8]?, central: String)
        /// A phone reports that the server may have data for the tracker.
        case nudge
        /// A phone delivers a command from the server, unverified.
        case command([UInt8])
        /// A phone reports, unsigned, that the server doesn't know the tracker any more.
        case forgotten
        /// A device other than the owner's sent a request.
        case nonOwner(NonOwnerRequest)
        /// The state of the radio changed.
        case radio(PeripheralState)
    }

    struct Identity: Equatable, Sendable {
        var id: TrackerID?
        var publicKey: [UInt8]
        var codeHash: [UInt8]
        var phase: TrackerPhase
    }

    fileprivate struct State {
        var identity: Identity?
        var challenges: [String: [UInt8]] = [:]
        var assemblers: [String: BluetoothAssembler] = [:]
        var centrals: Set<String> = []
        /// The packet size negotiated with each central, if BlueZ reports it.
        var mtus: [String: Int] = [:]
        var owner: String?
        var hasSubscribers = false
        var wasLinked = false
        var wasHeard = false
        var answers: AsyncStream<PackedMessage>.Continuation?
        var silentUntil: ContinuousClock.Instant?
        /// Whether a phone requested a message while the tracker waited for a response.
        var wasContactRequested = false

        // Notifications reach all subscribers, so data for the owner waits until no other central is connected.
        var isLinked: Bool {
            guard let owner, hasSubscribers else { return false }
            return centrals.subtracting([owner]).isEmpty
        }

        // The messages of a tracker that is releasing contain no data of its owner: any subscriber may deliver them.
        var canDeliverRelease: Bool { hasSubscribers && identity?.phase == .releasing }
        var isHeard: Bool { isLinked || canDeliverRelease }
    }

    private let random: any RandomSource
    private let send: @Sendable (Signal) -> Void
    private let state = Mutex(State())

    init(random: any RandomSource, send: @escaping @Sendable (Signal) -> Void) {
        self.random = random
        self.send = send
    }

    // MARK: Called by the runner

    /// Sets the tracker's identity. A new key makes a new tracker: connected centrals lose their trust.
    func become(_ identity: Identity) {
        change { state in
            if state.identity?.publicKey != identity.publicKey { state.owner = nil }
            state.identity = identity
        }
    }

    /// Trusts the central, which has delivered a verified register request of the owner.
    func believe(_ central: String) {
        change { state in
            state.owner = central
            state.silentUntil = nil
        }
    }

    var isLinked: Bool { state.withLock(\.isLinked) }

    /// The smallest packet size in bytes of all connected centrals, because a value reaches all of them; `nil` when
    /// none is known.
    var mtu: Int? { state.withLock { $0.mtus.values.min() } }

    /// The pause before another request to a phone that didn't respond: its connection to the server may be
    /// interrupted.
    private static let silence = Duration.seconds(60)

    /// Returns whether a message created in this phase should be sent over the phone.
    func canSend(in phase: TrackerPhase) -> Bool {
        state.withLock { state in
            guard state.isLinked || phase == .releasing && state.canDeliverRelease else { return false }
            return state.silentUntil.map { $0 <= .now } ?? true
        }
    }

    /// - Parameter came: `false` when the phone was connected all the time and didn't respond.
    func recordResponse(_ came: Bool) {
        state.withLock { state in
            let isSilent = !came && state.isLinked && !state.wasContactRequested
            state.silentUntil = isSilent ? .now + Self.silence : nil
        }
    }

    /// Returns the responses to the current request; the stream ends with the link.
    func answers() -> AsyncStream<PackedMessage> {
        let (stream, sink) = AsyncStream.makeStream(of: PackedMessage.self, bufferingPolicy: .bufferingNewest(4))
        let isHeard = state.withLock { state in
            state.answers = sink
            state.wasContactRequested = false
            return state.isHeard
        }
        if !isHeard { sink.finish() }
        return stream
    }

    func cancelResponses() {
        let sink = state.withLock { state in
            defer { state.answers = nil }
            return state.answers
        }
        sink?.finish()
    }

    // MARK: Called by the Bluetooth thread

    func value(of characteristic: String, for central: Central) -> [UInt8]? {
        guard characteristic == TrackerBluetooth.identityUUID else { return nil }
        return state.withLock { state in
            state.record(central)
            guard let identity = state.identity else { return nil }
            if state.challenges.count >= Limits.bluetoothCentrals { state.challenges = [:] }
            let challenge = state.challenges[central.path] ?? random.bytes(TrackerBluetooth.challengeLength)
            state.challenges[central.path] = challenge
            return BluetoothIdentity(
                id: identity.id, publicKey: identity.publicKey, codeHash: identity.codeHash, phase: identity.phase,
                challenge: challenge
            ).encoded()
        }
    }

    func receive(_ value: [UInt8], for characteristic: String, from central: Central) -> Bool {
        if characteristic == NonOwnerService.characteristicUUID {
            send(.nonOwner(NonOwnerRequest(value)))
            return true
        }
        guard characteristic == TrackerBluetooth.inboxUUID else { return false }
        let message: BluetoothMessage?
        do {
            message = try state.withLock { state in
                state.record(central)
                if state.assemblers.count >= Limits.bluetoothCentrals { state.assemblers = [:] }
                return try state.assemblers[central.path, default: BluetoothAssembler()].add(value)
            }
        } catch {
            return false
        }
        if let message { arrived(message, from: central) }
        return true
    }

    private func arrived(_ message: BluetoothMessage, from central: Central) {
        switch message.kind {
        case .registerRequest:
            let challenge = state.withLock { $0.challenges.removeValue(forKey: central.path) }
            send(.registerRequest(content: message.content, challenge: challenge, central: central.path))
        case .answer:
            if message.content.isEmpty { return send(.forgotten) }
            guard let answer = PackedMessage(message.content) else { return }
            _ = state.withLock(\.answers)?.yield(answer)
        case .firstContact:
            guard let answer = FirstContactResponse(message.content) else { return }
            send(.firstContact(answer))
        case .nudge:
            // A phone that requests a message will deliver it, even if an earlier one got no response.
            state.withLock { state in
                state.silentUntil = nil
                state.wasContactRequested = true
            }
            send(.nudge)
        case .command:
            send(.command(message.content))
        case .registerResponse, .uplink, .refusal, .freed:
            // These are sent by the tracker only.
            break
        }
    }

    func happened(_ event: PeripheralEvent) {
        switch event {
        case .connected(let central):
            change { state in
                state.centrals.insert(central.path)
                state.forget(central.path)
            }
        case .disconnected(let path):
            change { state in
                state.centrals.remove(path)
                state.forget(path)
            }
        case .subscribed(let uuid) where uuid == TrackerBluetooth.outboxUUID: change { $0.hasSubscribers = true }
        case .unsubscribed(let uuid) where uuid == TrackerBluetooth.outboxUUID: change { $0.hasSubscribers = false }
        case .subscribed, .unsubscribed: break
        case .state(let radio): send(.radio(radio))
        }
    }

    // The tracker's messages are signed, so an encrypted link has no advantage. Bonds would only make the phone
    // traceable by its address.
    func allowsPairing() -> Bool { true }

    private func change(_ body: (inout State) -> Void) {
        let (isLinked, sink) = state.withLock { state -> (Bool?, AsyncStream<PackedMessage>.Continuation?) in
            body(&state)
            let isNew = (link: state.isLinked != state.wasLinked, hearer: state.isHeard != state.wasHeard)
            (state.wasLinked, state.wasHeard) = (state.isLinked, state.isHeard)
            // A new or returning phone is used again at once.
            if isNew.link || isNew.hearer { state.silentUntil = nil }
            let isOver = !state.wasHeard
            defer { if isOver { state.answers = nil } }
            return (isNew.link ? state.wasLinked : nil, isOver ? state.answers : nil)
        }
        sink?.finish()
        if let isLinked { send(.link(isLinked)) }
    }
}

extension BluetoothSession.State {
    /// Records the packet size. BlueZ reports it with each value; it may grow after the connection began.
    fileprivate mutating func record(_ central: Central) {
        guard let mtu = central.mtu, mtus[central.path] != nil || mtus.count < Limits.bluetoothCentrals else { return }
        mtus[central.path] = mtu
    }

    /// Clears the state of a connection: challenge, unfinished message and trust.
    fileprivate mutating func forget(_ path: String) {
        mtus[path] = nil
        challenges[path] = nil
        assemblers[path] = nil
        if owner == path { owner = nil }
    }
}
