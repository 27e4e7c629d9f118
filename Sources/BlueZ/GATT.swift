/// A characteristic that a peripheral offers.
package struct GATTCharacteristic: Hashable, Sendable {
    /// What may be done with it, by BlueZ's names.
    package enum Flag: String, Hashable, Sendable {
        /// It can be read.
        case read
        /// It can be written, with an answer.
        case write
        /// It can be written, without an answer.
        case writeWithoutResponse = "write-without-response"
        /// It tells of new values, without an answer.
        case notify
        /// It tells of new values, and is answered.
        case indicate
    }

    /// 128 bits in lower-case text form.
    package let uuid: String
    /// What may be done with it.
    package let flags: [Flag]

    /// Makes a characteristic.
    package init(uuid: String, flags: [Flag]) {
        self.uuid = uuid
        self.flags = flags
    }
}

/// A primary service that a peripheral offers.
package struct GATTService: Hashable, Sendable {
    /// 128 bits in lower-case text form.
    package let uuid: String
    /// Its characteristics; their UUIDs are unique over all services of a peripheral.
    package let characteristics: [GATTCharacteristic]

    /// Makes a service.
    package init(uuid: String, characteristics: [GATTCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// What a peripheral sends out for all to see.
package struct Advertisement: Hashable, Sendable {
    /// UUIDs of the services to be found by.
    package let serviceUUIDs: [String]
    /// The name that a chooser shows.
    package let localName: String?
    /// Bytes that belong to a service, by its UUID.
    package let serviceData: [String: [UInt8]]

    /// Makes an advertisement. A legacy one holds 31 bytes and as many in the scan response, where the name goes.
    package init(serviceUUIDs: [String], localName: String?, serviceData: [String: [UInt8]] = [:]) {
        self.serviceUUIDs = serviceUUIDs
        self.localName = localName
        self.serviceData = serviceData
    }

    var properties: [String: BusValue] {
        var properties: [String: BusValue] = [
            "Type": .string("peripheral"), "ServiceUUIDs": .strings(serviceUUIDs), "Discoverable": .boolean(true),
        ]
        if let localName { properties["LocalName"] = .string(localName) }
        if !serviceData.isEmpty { properties["ServiceData"] = .dictionary(serviceData.mapValues { .bytes($0) }) }
        return properties
    }
}

/// Another device that is connected to ours.
package struct Central: Hashable, Sendable {
    /// Its object's path at BlueZ: the same as long as it stays.
    package let path: String
    /// Bytes of one packet of the attribute protocol; `nil` when BlueZ doesn't say.
    package let mtu: Int?

    /// Makes a central.
    package init(path: String, mtu: Int?) {
        self.path = path
        self.mtu = mtu
    }

    init(options: [String: BusValue]) {
        self.init(path: options["device"]?.text ?? "", mtu: options["mtu"]?.number)
    }
}

/// What happens to a peripheral.
package enum PeripheralEvent: Hashable, Sendable {
    /// What stands in the way, or that nothing does.
    case state(PeripheralState)
    /// A central came.
    case connected(Central)
    /// A central, by its path, is gone.
    case disconnected(String)
    /// The first central wants to be told of new values of a characteristic.
    case subscribed(String)
    /// Nobody wants to be told any more.
    case unsubscribed(String)
}

/// How far a peripheral has got.
package enum PeripheralState: Hashable, Sendable {
    /// There is no system bus.
    case noBus
    /// bluetoothd doesn't run.
    case noDaemon
    /// There is no adapter that can be a peripheral.
    case noAdapter
    /// The adapter is switched off, and could not be switched on.
    case off
    /// BlueZ refused services or advertisement; tried again later.
    case refused
    /// Services and advertisement are out. `address` is the adapter's.
    case ready(address: String)
}

/// Whoever owns a peripheral's values. Called on the peripheral's thread: must answer at once.
package protocol PeripheralDelegate: Sendable {
    /// The value of a characteristic; `nil` refuses.
    func value(of characteristic: String, for central: Central) -> [UInt8]?
    /// Takes a value that was written; false refuses.
    func take(_ value: [UInt8], for characteristic: String, from central: Central) -> Bool
    /// Something happened.
    func happened(_ event: PeripheralEvent)
    /// Whether a device may pair. There is no display and no key: it "just works".
    func allowsPairing() -> Bool
}
