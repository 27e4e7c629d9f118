import Glibc
import Kernel
import Logging

/// The work of the peripheral's thread. All functions are called on that thread only.
final class PeripheralLoop {
    let adapterName: String?
    let delegate: any PeripheralDelegate
    let logger: Logger
    private let jobs: PeripheralJobQueue

    private(set) var tree: ObjectTree
    private(set) var bus: Bus?
    private(set) var owner: String?
    private var ownerIsAsked = false
    var adapters: [String: Adapter] = [:]
    var adapter: String?
    var centrals: Set<String> = []
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

    struct Adapter {
        var address = ""
        var isPowered = false
        var wasSwitchedOn = false
        var interfaces: Set<String> = []

        // BlueZ announces a new adapter in several signals.
        var isWhole: Bool { interfaces.isSuperset(of: [BlueZName.gattManager, BlueZName.advertisingManager]) }
    }

    init(
        services: [GATTService], adapter: String?, delegate: any PeripheralDelegate, logger: Logger,
        jobs: PeripheralJobQueue
    ) {
        tree = ObjectTree(services: services)
        adapterName = adapter
        self.delegate = delegate
        self.logger = logger
        self.jobs = jobs
    }

    func run() {
        while !isStopping {
            do throws(BusError) {
                try turn()
            } catch {
                // A board without Bluetooth must not log this every minute.
                if state != .noBus {
                    logger.warning("bluetooth: there is no bus", metadata: ["failure": "\(error)"])
                }
                reset()
                bus = nil
                enter(.noBus)
                putOff()
            }
        }
        bus = nil
    }

    private func turn() throws(BusError) {
        for job in jobs.takeAll() { try execute(job) }
        if isStopping { return }
        let now = MonotonicTime.microseconds
        if bus == nil, now >= tryAgainAt { try connect() }
        if let bus {
            // Processed messages may make a further step possible.
            repeat { try advance() } while try bus.process()
            try bus.wait(milliseconds: patience, wakeDescriptor: jobs.wakeDescriptor)
        } else {
            var descriptor = pollfd(fd: jobs.wakeDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, patience)
        }
    }

    // With nothing scheduled it waits for a message without a time limit.
    private var patience: Int32 {
        let now = MonotonicTime.microseconds
        return tryAgainAt > now ? Int32(clamping: (tryAgainAt - now) / 1000 + 1) : -1
    }

    private func execute(_ job: Peripheral.Job) throws(BusError) {
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

    /// Clears all state that depends on BlueZ.
    private func reset() {
        owner = nil
        ownerIsAsked = false
        adapters = [:]
        leaveAdapter()
        steps = []
        tree.advertisement = nil
        isBusy = false
    }

    func leaveAdapter() {
        adapter = nil
        steps.subtract([.pairing, .services])
        advertised = nil
        for characteristic in subscribed.sorted() { delegate.happened(.unsubscribed(characteristic)) }
        subscribed = []
        for central in centrals.sorted() { delegate.happened(.disconnected(central)) }
        centrals = []
    }

    // MARK: Registration with BlueZ, one step at a time

    private func connect() throws(BusError) {
        let bus = try Bus.system()
        bus.onMessage = { [unowned self] message in self.handle(message) }
        self.bus = bus
        for rule in [
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'",
            "type='signal',sender='org.bluez',member='PropertiesChanged'",
            "type='signal',sender='org.bluez',member='InterfacesAdded'",
            "type='signal',sender='org.bluez',member='InterfacesRemoved'",
        ] {
            let log = logger
            try bus.call(
                .broker("AddMatch"), fill: { message throws(BusError) in try message.append(.string(rule)) },
                then: { reply in
                    // A closed bus reports itself elsewhere.
                    guard let failure = reply.failure, !failure.says("NoReply") else { return }
                    log.warning("bluetooth: no signals", metadata: ["failure": "\(failure)"])
                }
            )
        }
    }

    /// Performs the next possible step.
    private func advance() throws(BusError) {
        guard let bus, !isBusy else { return }
        guard owner != nil else {
            if !ownerIsAsked { try askForOwner(bus) }
            return
        }
        guard MonotonicTime.microseconds >= tryAgainAt else { return }
        guard steps.contains(.surroundings) else { return readObjects() }
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

    private func askForOwner(_ bus: Bus) throws(BusError) {
        ownerIsAsked = true
        try bus.call(
            .broker("GetNameOwner"),
            fill: { message throws(BusError) in try message.append(.string(BlueZName.service)) },
            then: { [unowned self] reply in
                // No reply means that the bus rejects the connection, not that BlueZ is absent: try again with growing
                // intervals.
                if let failure = reply.failure, failure.says("NoReply") {
                    self.ownerIsAsked = false
                    return
                }
                let name = reply.failure == nil ? try? reply.readText() : nil
                self.daemonIs(name)
            }
        )
    }

    func daemonIs(_ name: String?) {
        guard name != owner || name == nil else { return }
        reset()
        ownerIsAsked = true
        owner = name
        failures = 0
        tryAgainAt = 0
        if name == nil { enter(.noDaemon) }
    }

    private func readObjects() {
        isBusy = true
        call(.bluez("/", BlueZName.objectManager, "GetManagedObjects")) { [unowned self] reply in
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
        call(
            .bluez(adapter, BlueZName.properties, "Set"),
            fill: { message throws(BusError) in
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
        call(
            .bluez("/org/bluez", BlueZName.agentManager, "RegisterAgent"),
            fill: { message throws(BusError) in
                try message.append(.path(ObjectTree.agentPath))
                try message.append(.string("NoInputNoOutput"))
            }
        ) { [unowned self] reply in
            self.isBusy = false
            // Without an agent everything except pairing works, and none of the services needs pairing.
            self.steps.insert(.pairing)
            if let failure = reply.failure {
                self.logger.notice("bluetooth: no pairing", metadata: ["failure": "\(failure)"])
                return
            }
            self.call(
                .bluez("/org/bluez", BlueZName.agentManager, "RequestDefaultAgent"),
                fill: { message throws(BusError) in try message.append(.path(ObjectTree.agentPath)) }
            ) { _ in }
        }
    }

    private func register(at adapter: String) {
        isBusy = true
        call(
            .bluez(adapter, BlueZName.gattManager, "RegisterApplication"),
            fill: { message throws(BusError) in
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
        call(
            .bluez(adapter, BlueZName.advertisingManager, "UnregisterAdvertisement"),
            fill: { message throws(BusError) in try message.append(.path(path)) }
        ) { [unowned self] _ in
            self.isBusy = false
            self.advertised = nil
            self.tree.advertisement = nil
        }
    }

    private func advertise(at adapter: String) {
        guard let wanted else { return }
        isBusy = true
        // A new name each time, because BlueZ may still know the old one.
        advertisementNumber += 1
        let path = ObjectTree.advertisementPath(advertisementNumber)
        tree.advertisement = (path, wanted)
        call(
            .bluez(adapter, BlueZName.advertisingManager, "RegisterAdvertisement"),
            fill: { message throws(BusError) in
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

    /// Handles BlueZ's release of the advertisement.
    func advertisementWasReleased(_ path: String) {
        guard tree.advertisement?.path == path else { return }
        tree.advertisement = nil
        advertised = nil
        putOff()
    }

    private func wasRefused(_ what: Logger.Message, _ failure: BusError) {
        logger.warning(what, metadata: ["failure": "\(failure)"])
        putOff()
        enter(.refused)
    }

    /// Calls BlueZ. A call that can't be sent counts as rejected.
    private func call(
        _ method: BusMethod, fill: (BusMessage) throws(BusError) -> Void = { _ throws(BusError) in },
        then: @escaping (BusMessage) -> Void
    ) {
        let asked = owner
        do throws(BusError) {
            try bus?.call(method, fill: fill) { [unowned self] reply in
                // The reply of a daemon that has gone says nothing about its successor.
                if self.owner == asked { then(reply) }
            }
        } catch {
            isBusy = false
            wasRefused("bluetooth: call failed", error)
        }
    }
}
