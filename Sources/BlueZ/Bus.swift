import CSystemd
import Glibc

/// A connection to a message bus. Confined to one thread.
final class Bus {
    private let pointer: OpaquePointer
    private var waiting: [UInt64: (BusMessage) -> Void] = [:]
    /// Called for every incoming message except method replies; returns `true` when it handled the message.
    var onMessage: ((BusMessage) -> Bool)?

    private static let timeoutMicroseconds: UInt64 = 25_000_000

    /// Connects to the system bus, or to the one named by `DBUS_SYSTEM_BUS_ADDRESS`.
    static func system() throws(BusError) -> Bus {
        var pointer: OpaquePointer?
        try checked(sd_bus_open_system(&pointer), "connect to the system bus")
        guard let pointer else { throw .unexpected("empty connection") }
        return try Bus(owning: pointer)
    }

    /// Takes ownership of a started connection.
    init(owning pointer: OpaquePointer) throws(BusError) {
        self.pointer = pointer
        let own = Unmanaged.passUnretained(self).toOpaque()
        try checked(sd_bus_add_filter(pointer, nil, Self.filter, own), "listen")
    }

    deinit { sd_bus_flush_close_unref(pointer) }

    private static let filter: sd_bus_message_handler_t = { message, own, _ in
        guard let message, let own else { return 0 }
        let bus = Unmanaged<Bus>.fromOpaque(own).takeUnretainedValue()
        return bus.onMessage?(BusMessage(borrowing: message)) == true ? 1 : 0
    }

    private static let answer: sd_bus_message_handler_t = { message, own, _ in
        guard let message, let own else { return 0 }
        let bus = Unmanaged<Bus>.fromOpaque(own).takeUnretainedValue()
        let reply = BusMessage(borrowing: message)
        bus.waiting.removeValue(forKey: reply.replyCookie)?(reply)
        return 0
    }

    // MARK: Sending

    /// Calls a method; `then` gets the reply, which may be an error.
    ///
    /// Never blocks: bluetoothd calls back before it replies.
    func call(
        _ method: BusMethod, fill: (BusMessage) throws(BusError) -> Void = { _ throws(BusError) in },
        then: @escaping (BusMessage) -> Void
    ) throws(BusError) {
        var made: OpaquePointer?
        try checked(
            sd_bus_message_new_method_call(
                pointer, &made, method.destination, method.path, method.interface, method.member), method.member)
        guard let made else { throw .unexpected("empty message") }
        let message = BusMessage(owning: made)
        try fill(message)
        let own = Unmanaged.passUnretained(self).toOpaque()
        try checked(
            sd_bus_call_async(pointer, nil, made, Self.answer, own, Self.timeoutMicroseconds), method.member)
        waiting[message.cookie] = then
    }

    func reply(
        to call: BusMessage, fill: (BusMessage) throws(BusError) -> Void = { _ throws(BusError) in }
    ) throws(BusError) {
        var made: OpaquePointer?
        try checked(sd_bus_message_new_method_return(call.pointer, &made), "answer")
        guard let made else { throw .unexpected("empty message") }
        let message = BusMessage(owning: made)
        try fill(message)
        try checked(sd_bus_send(pointer, made, nil), "send")
    }

    func refuse(_ call: BusMessage, _ name: String, _ text: String = "") {
        var error = sd_bus_error()
        defer { sd_bus_error_free(&error) }
        sd_bus_error_set(&error, name, text)
        sd_bus_reply_method_error(call.pointer, &error)
    }

    /// Emits the signal that a property has a new value.
    func announce(
        _ property: String, _ value: BusValue, of interface: String, at path: String
    ) throws(BusError) {
        var made: OpaquePointer?
        let properties = BlueZName.properties
        try checked(
            sd_bus_message_new_signal(pointer, &made, path, properties, "PropertiesChanged"), "PropertiesChanged")
        guard let made else { throw .unexpected("empty message") }
        let message = BusMessage(owning: made)
        try message.append(.string(interface))
        try message.append([property: value])
        try message.append(.strings([]))
        try checked(sd_bus_send(pointer, made, nil), "send")
    }

    // MARK: Waiting

    /// Processes everything that has arrived; returns `false` when there was nothing.
    func process() throws(BusError) -> Bool {
        var didAnything = false
        while try checked(sd_bus_process(pointer, nil), "connection") > 0 { didAnything = true }
        return didAnything
    }

    /// Waits until the bus or `wakeDescriptor` is ready, at most `milliseconds`.
    func wait(milliseconds: Int32, wakeDescriptor: Int32) throws(BusError) {
        let descriptor = try checked(sd_bus_get_fd(pointer), "connection")
        let events = try checked(sd_bus_get_events(pointer), "connection")
        var due: UInt64 = .max
        try checked(sd_bus_get_timeout(pointer, &due), "connection")
        var patience = milliseconds
        if due != .max {
            let now = MonotonicTime.microseconds
            patience = due <= now ? 0 : min(patience, Int32(clamping: (due - now) / 1000 + 1))
        }
        var descriptors = [
            pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        poll(&descriptors, 2, patience)
    }
}

/// A method of a remote object.
struct BusMethod {
    let destination: String
    let path: String
    let interface: String
    let member: String

    static func bluez(_ path: String, _ interface: String, _ member: String) -> BusMethod {
        BusMethod(destination: BlueZName.service, path: path, interface: interface, member: member)
    }

    static func broker(_ member: String) -> BusMethod {
        let name = "org.freedesktop.DBus"
        return BusMethod(destination: name, path: "/org/freedesktop/DBus", interface: name, member: member)
    }
}

/// The clock of the bus's timeouts.
enum MonotonicTime {
    static var microseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}

/// Names of BlueZ's services, interfaces and objects.
enum BlueZName {
    static let service = "org.bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let gattManager = "org.bluez.GattManager1"
    static let gattService = "org.bluez.GattService1"
    static let gattCharacteristic = "org.bluez.GattCharacteristic1"
    static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    static let advertisement = "org.bluez.LEAdvertisement1"
    static let agentManager = "org.bluez.AgentManager1"
    static let agent = "org.bluez.Agent1"
    static let properties = "org.freedesktop.DBus.Properties"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"
}
