import BlueZ
import Kernel
import Synchronization
import TrackerProtocol

/// What the Bluetooth thread needs at once: who the tracker is, the challenges, the messages half arrived. Everything
/// that takes thought goes to the runner as a ``Signal``.
final class BluetoothDesk: PeripheralDelegate {
    /// What the runner is told.
    enum Signal: Sendable {
        /// A phone that has shown the owner's register request is there, or gone.
        case link(Bool)
        /// A phone brings the server's answer to a first contact.
        case firstContact(FirstContactAnswer)
        /// A phone wants the tracker registered. `challenge` is the one that it may answer; it is spent.
        case registerRequest(content: [UInt8], challenge: [UInt8]?, central: String)
        /// A phone says that the server may have something for us.
        case nudge
        /// A phone brings a command of the server's, unchecked.
        case command([UInt8])
        /// A phone says that the server doesn't know the tracker any more. Not signed.
        case forgotten
        /// Someone who isn't the owner wants something.
        case nonOwner(NonOwnerRequest)
        /// How far the radio has got.
        case radio(PeripheralState)
    }

    /// What the tracker says of itself.
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
        /// What was agreed on with each of them, as far as BlueZ told.
        var mtus: [String: Int] = [:]
        var owner: String?
        var isListenedTo = false
        var wasLinked = false
        var wasHeard = false
        var answers: AsyncStream<PackedMessage>.Continuation?
        var silentUntil: ContinuousClock.Instant?
        /// Somebody asked for a message while an answer was waited for.
        var wasNudged = false

        // Values go to everybody who listens; what is meant for the owner waits until nobody else is there.
        var isLinked: Bool {
            guard let owner, isListenedTo else { return false }
            return centrals.subtracting([owner]).isEmpty
        }

        // What a tracker says that is being let go holds nothing of its owner's: whoever listens may carry it.
        var isFarewellHeard: Bool { isListenedTo && identity?.phase == .releasing }
        var isHeard: Bool { isLinked || isFarewellHeard }
    }

    private let random: any RandomSource
    private let tell: @Sendable (Signal) -> Void
    private let state = Mutex(State())

    init(random: any RandomSource, tell: @escaping @Sendable (Signal) -> Void) {
        self.random = random
        self.tell = tell
    }

    // MARK: For the runner

    /// Says who the tracker is now. Another key is another tracker: whoever was connected to the old one has to begin anew.
    func become(_ identity: Identity) {
        change { state in
            if state.identity?.publicKey != identity.publicKey { state.owner = nil }
            state.identity = identity
        }
    }

    /// The central has shown a register request of the owner's.
    func believe(_ central: String) {
        change { state in
            state.owner = central
            state.silentUntil = nil
        }
    }

    var isLinked: Bool { state.withLock(\.isLinked) }

    /// Bytes of one packet that everybody who is connected has room for; `nil` when nobody's is known. A value goes to all.
    var mtu: Int? { state.withLock { $0.mtus.values.min() } }

    /// A phone that doesn't answer is not asked again for a while: its own way to the server may be cut.
    private static let silence = Duration.seconds(60)

    /// Whether a message that was made in that phase should go over the phone.
    func isWorthAsking(in phase: TrackerPhase) -> Bool {
        state.withLock { state in
            guard state.isLinked || phase == .releasing && state.isFarewellHeard else { return false }
            return state.silentUntil.map { $0 <= .now } ?? true
        }
    }

    /// - Parameter came: false when the phone was there all the time and said nothing.
    func noteAnswer(_ came: Bool) {
        state.withLock { state in
            let isSilent = !came && state.isLinked && !state.wasNudged
            state.silentUntil = isSilent ? .now + Self.silence : nil
        }
    }

    /// The answers to what is being asked now; ends when the link does.
    func answers() -> AsyncStream<PackedMessage> {
        let (stream, sink) = AsyncStream.makeStream(of: PackedMessage.self, bufferingPolicy: .bufferingNewest(4))
        let isHeard = state.withLock { state in
            state.answers = sink
            state.wasNudged = false
            return state.isHeard
        }
        if !isHeard { sink.finish() }
        return stream
    }

    func expectNothing() {
        let sink = state.withLock { state in
            defer { state.answers = nil }
            return state.answers
        }
        sink?.finish()
    }

    // MARK: For the radio

    func value(of characteristic: String, for central: Central) -> [UInt8]? {
        guard characteristic == TrackerBluetooth.identityUUID else { return nil }
        return state.withLock { state in
            state.note(central)
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

    func take(_ value: [UInt8], for characteristic: String, from central: Central) -> Bool {
        if characteristic == NonOwnerService.characteristicUUID {
            tell(.nonOwner(NonOwnerRequest(value)))
            return true
        }
        guard characteristic == TrackerBluetooth.inboxUUID else { return false }
        let message: BluetoothMessage?
        do {
            message = try state.withLock { state in
                state.note(central)
                if state.assemblers.count >= Limits.bluetoothCentrals { state.assemblers = [:] }
                return try state.assemblers[central.path, default: BluetoothAssembler()].take(value)
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
            tell(.registerRequest(content: message.content, challenge: challenge, central: central.path))
        case .answer:
            if message.content.isEmpty { return tell(.forgotten) }
            guard let answer = PackedMessage(message.content) else { return }
            _ = state.withLock(\.answers)?.yield(answer)
        case .firstContact:
            guard let answer = FirstContactAnswer(message.content) else { return }
            tell(.firstContact(answer))
        case .nudge:
            // Who asks for a message is going to carry it, whatever became of the one before.
            state.withLock { state in
                state.silentUntil = nil
                state.wasNudged = true
            }
            tell(.nudge)
        case .command:
            tell(.command(message.content))
        case .registerAnswer, .uplink, .refusal, .freed:
            // These go the other way.
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
        case .subscribed(let uuid) where uuid == TrackerBluetooth.outboxUUID: change { $0.isListenedTo = true }
        case .unsubscribed(let uuid) where uuid == TrackerBluetooth.outboxUUID: change { $0.isListenedTo = false }
        case .subscribed, .unsubscribed: break
        case .state(let radio): tell(.radio(radio))
        }
    }

    // The tracker's own messages are signed, so nothing is gained by encrypting the link. Bonds would only let a phone
    // be followed by its address.
    func allowsPairing() -> Bool { true }

    private func change(_ body: (inout State) -> Void) {
        let (isLinked, sink) = state.withLock { state -> (Bool?, AsyncStream<PackedMessage>.Continuation?) in
            body(&state)
            let isNew = (link: state.isLinked != state.wasLinked, hearer: state.isHeard != state.wasHeard)
            (state.wasLinked, state.wasHeard) = (state.isLinked, state.isHeard)
            // Whoever comes, or comes back, is asked.
            if isNew.link || isNew.hearer { state.silentUntil = nil }
            let isOver = !state.wasHeard
            defer { if isOver { state.answers = nil } }
            return (isNew.link ? state.wasLinked : nil, isOver ? state.answers : nil)
        }
        sink?.finish()
        if let isLinked { tell(.link(isLinked)) }
    }
}

extension BluetoothDesk.State {
    /// BlueZ says with each value what was agreed on; that may grow after the connection began.
    fileprivate mutating func note(_ central: Central) {
        guard let mtu = central.mtu, mtus[central.path] != nil || mtus.count < Limits.bluetoothCentrals else { return }
        mtus[central.path] = mtu
    }

    /// A connection begins with nothing: no challenge, no half message, no trust.
    fileprivate mutating func forget(_ path: String) {
        mtus[path] = nil
        challenges[path] = nil
        assemblers[path] = nil
        if owner == path { owner = nil }
    }
}
