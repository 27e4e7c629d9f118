import Glibc
import Kernel
import Logging

/// What the peripheral's thread does. Everything here is called on that thread alone.
final class PeripheralLoop {
    private let adapterName: String?
    let delegate: any PeripheralDelegate
    let logger: Logger
    private let jobs: JobBox

    private(set) var tree: ObjectTree
    private(set) var bus: Bus?
    private(set) var owner: String?
    private var ownerIsAsked = false
    private var adapters: [String: Adapter] = [:]
    private var adapter: String?
    private var centrals: Set<String> = []
    var subscribed: Set<String> = []
    private var wanted: Advertisement?
    private var advertised: Advertisement?
    private var advertisementNumber = 0
    private var steps: Set<Step> = []
    private var isBusy = false
    private var tryAgainAt: UInt64 = 0
    private var failures = 0
    private var state: PeripheralState?
    private var isStopping = false

    private enum Step { case surroundings, pairing, services }

    private struct Adapter {
        var address = ""
        var isPowered = false
        var wasSwitchedOn = false
    }

    init(
        services: [GATTService], adapter: String?, delegate: any PeripheralDelegate, logger: Logger, jobs: JobBox
    ) {
        tree = ObjectTree(services: services)
        adapterName = adapter
        self.delegate = delegate
        self.logger = logger
        self.jobs = jobs
    }

    func run() {
        while !isStopping {
            do throws(BusFailure) {
                try turn()
            } catch {
                logger.warning("bluetooth: the bus is gone", metadata: ["failure": "\(error)"])
                reset()
                bus = nil
                enter(.noBus)
                putOff()
            }
        }
        bus = nil
    }

    private func turn() throws(BusFailure) {
        for job in jobs.takeAll() { try carryOut(job) }
        if isStopping { return }
        let now = MonotonicTime.microseconds
        if bus == nil, now >= tryAgainAt { try connect() }
        if let bus {
            // What has just come may make a further step possible.
            repeat { try advance() } while try bus.process()
            try bus.wait(milliseconds: patience, wakeDescriptor: jobs.wakeDescriptor)
        } else {
            var descriptor = pollfd(fd: jobs.wakeDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, patience)
        }
    }

    // Nothing due: sleep until something comes, however long that takes.
    private var patience: Int32 {
        let now = MonotonicTime.microseconds
        return tryAgainAt > now ? Int32(clamping: (tryAgainAt - now) / 1000 + 1) : -1
    }

    private func carryOut(_ job: Peripheral.Job) throws(BusFailure) {
        switch job {
        case .stop: isStopping = true
        case .advertise(let advertisement): wanted = advertisement
        case .notify(let value, let characteristic):
            guard let bus, subscribed.contains(characteristic), let path = tree.paths[characteristic] else { return }
            try bus.announce("Value", .bytes(value), of: BlueZName.gattCharacteristic, at: path)
        }
    }

    private func putOff() {
        failures += 1
        let seconds = min(UInt64(1) << UInt64(min(failures - 1, 6)), Limits.bluetoothRetrySecondsMaximum)
        tryAgainAt = MonotonicTime.microseconds + seconds * 1_000_000
    }

    private func enter(_ new: PeripheralState) {
        guard state != new else { return }
        state = new
        delegate.happened(.state(new))
    }

    /// Forgets what BlueZ knew of us.
    private func reset() {
        owner = nil
        ownerIsAsked = false
        adapters = [:]
        leaveAdapter()
        steps = []
        tree.advertisement = nil
        isBusy = false
    }

    private func leaveAdapter() {
        adapter = nil
        steps.subtract([.pairing, .services])
        advertised = nil
        for characteristic in subscribed.sorted() { delegate.happened(.unsubscribed(characteristic)) }
        subscribed = []
        for central in centrals.sorted() { delegate.happened(.disconnected(central)) }
        centrals = []
    }

    // MARK: Towards BlueZ, one step at a time

    private func connect() throws(BusFailure) {
        let bus = try Bus.system()
        bus.onMessage = { [unowned self] message in self.take(message) }
        self.bus = bus
        for rule in [
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'",
            "type='signal',sender='org.bluez',member='PropertiesChanged'",
            "type='signal',sender='org.bluez',member='InterfacesAdded'",
            "type='signal',sender='org.bluez',member='InterfacesRemoved'",
        ] {
            let log = logger
            try bus.call(
                .broker("AddMatch"), fill: { message throws(BusFailure) in try message.append(.string(rule)) },
                then: { reply in
                    guard let failure = reply.failure else { return }
                    log.warning("bluetooth: no signals", metadata: ["failure": "\(failure)"])
                }
            )
        }
    }

    /// Takes the next step that is possible.
    private func advance() throws(BusFailure) {
        guard let bus, !isBusy else { return }
        guard owner != nil else {
            if !ownerIsAsked { try askForOwner(bus) }
            return
        }
        guard MonotonicTime.microseconds >= tryAgainAt else { return }
        guard steps.contains(.surroundings) else { return lookAround() }
        guard let adapter, let known = adapters[adapter] else {
            enter(.noAdapter)
            return
        }
        guard known.isPowered else {
            return switchOn(adapter)
        }
        if !steps.contains(.pairing) { return offerPairing() }
        if !steps.contains(.services) { return register(at: adapter) }
        if advertised != wanted { return tree.advertisement == nil ? advertise(at: adapter) : withdraw(at: adapter) }
        failures = 0
        enter(.ready(address: known.address))
    }

    private func askForOwner(_ bus: Bus) throws(BusFailure) {
        ownerIsAsked = true
        try bus.call(
            .broker("GetNameOwner"),
            fill: { message throws(BusFailure) in try message.append(.string(BlueZName.service)) },
            then: { [unowned self] reply in
                let name = reply.failure == nil ? try? reply.readText() : nil
                self.daemonIs(name)
            }
        )
    }

    private func daemonIs(_ name: String?) {
        guard name != owner || name == nil else { return }
        reset()
        ownerIsAsked = true
        owner = name
        failures = 0
        tryAgainAt = 0
        if name == nil { enter(.noDaemon) }
    }

    private func lookAround() {
        isBusy = true
        ask(.bluez("/", BlueZName.objectManager, "GetManagedObjects")) { [unowned self] reply in
            self.isBusy = false
            guard let objects = try? reply.objects() else { return self.putOff() }
            self.steps.insert(.surroundings)
            for (path, interfaces) in objects.sorted(by: { $0.key < $1.key }) { self.appeared(path, interfaces) }
        }
    }

    private func switchOn(_ adapter: String) {
        guard adapters[adapter]?.wasSwitchedOn == false else { return enter(.off) }
        adapters[adapter]?.wasSwitchedOn = true
        isBusy = true
        ask(
            .bluez(adapter, BlueZName.properties, "Set"),
            fill: { message throws(BusFailure) in
                try message.append(.string(BlueZName.adapter))
                try message.append(.string("Powered"))
                try message.append(variant: .boolean(true))
            }
        ) { [unowned self] reply in
            self.isBusy = false
            guard let failure = reply.failure else { return }
            self.logger.warning("bluetooth: the adapter stays off", metadata: ["failure": "\(failure)"])
        }
    }

    private func offerPairing() {
        isBusy = true
        ask(
            .bluez("/org/bluez", BlueZName.agentManager, "RegisterAgent"),
            fill: { message throws(BusFailure) in
                try message.append(.path(ObjectTree.agentPath))
                try message.append(.string("NoInputNoOutput"))
            }
        ) { [unowned self] reply in
            self.isBusy = false
            // Without an agent everything but pairing works, and nothing of ours needs pairing.
            self.steps.insert(.pairing)
            if let failure = reply.failure {
                self.logger.notice("bluetooth: no pairing", metadata: ["failure": "\(failure)"])
                return
            }
            self.ask(
                .bluez("/org/bluez", BlueZName.agentManager, "RequestDefaultAgent"),
                fill: { message throws(BusFailure) in try message.append(.path(ObjectTree.agentPath)) }
            ) { _ in }
        }
    }

    private func register(at adapter: String) {
        isBusy = true
        ask(
            .bluez(adapter, BlueZName.gattManager, "RegisterApplication"),
            fill: { message throws(BusFailure) in
                try message.append(.path(ObjectTree.applicationPath))
                try message.append([:])
            }
        ) { [unowned self] reply in
            self.isBusy = false
            if let failure = reply.failure, !failure.says("AlreadyExists") {
                return self.wasRefused("bluetooth: services refused", failure)
            }
            self.steps.insert(.services)
        }
    }

    private func withdraw(at adapter: String) {
        guard let path = tree.advertisement?.path else { return }
        isBusy = true
        ask(
            .bluez(adapter, BlueZName.advertisingManager, "UnregisterAdvertisement"),
            fill: { message throws(BusFailure) in try message.append(.path(path)) }
        ) { [unowned self] _ in
            self.isBusy = false
            self.advertised = nil
            self.tree.advertisement = nil
        }
    }

    private func advertise(at adapter: String) {
        guard let wanted else { return }
        isBusy = true
        // A new name each time: BlueZ may still know the old one.
        advertisementNumber += 1
        let path = ObjectTree.advertisementPath(advertisementNumber)
        tree.advertisement = (path, wanted)
        ask(
            .bluez(adapter, BlueZName.advertisingManager, "RegisterAdvertisement"),
            fill: { message throws(BusFailure) in
                try message.append(.path(path))
                try message.append([:])
            }
        ) { [unowned self] reply in
            self.isBusy = false
            if let failure = reply.failure {
                self.tree.advertisement = nil
                return self.wasRefused("bluetooth: advertisement refused", failure)
            }
            self.advertised = wanted
        }
    }

    /// BlueZ let go of the advertisement by itself.
    func advertisementWasReleased(_ path: String) {
        guard tree.advertisement?.path == path else { return }
        tree.advertisement = nil
        advertised = nil
        putOff()
    }

    private func wasRefused(_ what: Logger.Message, _ failure: BusFailure) {
        logger.warning(what, metadata: ["failure": "\(failure)"])
        putOff()
        enter(.refused)
    }

    /// Calls BlueZ. A call that can't even be sent counts as refused.
    private func ask(
        _ method: BusMethod, fill: (BusMessage) throws(BusFailure) -> Void = { _ throws(BusFailure) in },
        then: @escaping (BusMessage) -> Void
    ) {
        let asked = owner
        do throws(BusFailure) {
            try bus?.call(method, fill: fill) { [unowned self] reply in
                // An answer of a daemon that is gone says nothing about the one that came after it.
                if self.owner == asked { then(reply) }
            }
        } catch {
            isBusy = false
            wasRefused("bluetooth: call failed", error)
        }
    }
}

// MARK: - What BlueZ tells

extension PeripheralLoop {
    private func take(_ message: BusMessage) -> Bool {
        if message.isMethodCall {
            guard message.path.hasPrefix(ObjectTree.root), let bus else { return false }
            do throws(BusFailure) {
                return try answer(message, bus)
            } catch {
                logger.warning("bluetooth: unreadable call", metadata: ["failure": "\(error)"])
                bus.refuse(message, "org.bluez.Error.Failed")
                return true
            }
        }
        guard message.isSignal else { return false }
        do throws(BusFailure) {
            try hear(message)
        } catch {
            logger.debug("bluetooth: unreadable signal", metadata: ["failure": "\(error)"])
        }
        return false
    }

    private func hear(_ message: BusMessage) throws(BusFailure) {
        switch message.member {
        case "NameOwnerChanged":
            guard try message.readText() == BlueZName.service else { return }
            _ = try message.readText()
            let name = try message.readText()
            daemonIs(name.isEmpty ? nil : name)
        case "InterfacesAdded" where message.sender == owner:
            let path = try message.readText()
            appeared(path, try message.interfaces())
        case "InterfacesRemoved" where message.sender == owner:
            let path = try message.readText()
            guard case .strings(let names)? = try message.read() else { return }
            disappeared(path, names)
        case "PropertiesChanged" where message.sender == owner:
            let interface = try message.readText()
            changed(message.path, interface, try message.dictionary())
        default: break
        }
    }

    private func appeared(_ path: String, _ interfaces: BusInterfaces) {
        if let properties = interfaces[BlueZName.adapter], interfaces[BlueZName.gattManager] != nil,
            interfaces[BlueZName.advertisingManager] != nil, adapterName.map({ path.hasSuffix("/" + $0) }) ?? true
        {
            adapters[path] = Adapter(
                address: properties["Address"]?.text ?? "", isPowered: properties["Powered"]?.boolean ?? false
            )
            if adapter == nil { adapter = path }
        }
        if let properties = interfaces[BlueZName.device] { changed(path, BlueZName.device, properties) }
    }

    private func disappeared(_ path: String, _ names: [String]) {
        if names.contains(BlueZName.device) { noteCentral(path, isConnected: false) }
        guard names.contains(BlueZName.adapter), adapters.removeValue(forKey: path) != nil, adapter == path else {
            return
        }
        leaveAdapter()
        adapter = adapters.keys.min()
    }

    private func changed(_ path: String, _ interface: String, _ properties: [String: BusValue]) {
        if interface == BlueZName.device, let isConnected = properties["Connected"]?.boolean {
            noteCentral(path, isConnected: isConnected)
        }
        guard interface == BlueZName.adapter, adapters[path] != nil else { return }
        if let address = properties["Address"]?.text { adapters[path]?.address = address }
        guard let isPowered = properties["Powered"]?.boolean else { return }
        adapters[path]?.isPowered = isPowered
        guard path == adapter else { return }
        if isPowered {
            adapters[path]?.wasSwitchedOn = false
        } else {
            // Whoever switched it off meant it: only its coming back is waited for.
            adapters[path]?.wasSwitchedOn = true
            leaveAdapter()
            adapter = path
        }
    }

    private func noteCentral(_ path: String, isConnected: Bool) {
        guard adapter.map({ path.hasPrefix($0 + "/") }) ?? true else { return }
        if isConnected {
            guard centrals.count < Limits.bluetoothCentrals, centrals.insert(path).inserted else { return }
            delegate.happened(.connected(Central(path: path, mtu: nil)))
        } else if centrals.remove(path) != nil {
            delegate.happened(.disconnected(path))
        }
    }
}
