/// A characteristic that a peripheral offers.
package struct GATTCharacteristic: Hashable, Sendable {
    /// A permitted operation, by its name in BlueZ.
    package enum Flag: String, Hashable, Sendable {
        case read
        /// Write with response.
        case write
        /// Write without response.
        case writeWithoutResponse = "write-without-response"
        /// Notification of new values, without confirmation.
        case notify
        /// Indication of new values, with confirmation.
        case indicate
    }

    /// 128 bits in lower-case text form.
    package let uuid: String
    package let flags: [Flag]

    package init(uuid: String, flags: [Flag]) {
        self.uuid = uuid
        self.flags = flags
    }
}

/// A primary service that a peripheral offers.
package struct GATTService: Hashable, Sendable {
    /// 128 bits in lower-case text form.
    package let uuid: String
    /// The service's characteristics; their UUIDs are unique over all services of a peripheral.
    package let characteristics: [GATTCharacteristic]

    package init(uuid: String, characteristics: [GATTCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// The data that a peripheral broadcasts.
package struct Advertisement: Hashable, Sendable {
    /// The UUIDs of the advertised services.
    package let serviceUUIDs: [String]
    /// The name that a device chooser shows.
    package let localName: String?
    /// The service data, by the service's UUID.
    package let serviceData: [String: [UInt8]]

    /// A legacy advertisement holds 31 bytes, and as many in the scan response, which contains the name.
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

/// A device that is connected to the peripheral.
package struct Central: Hashable, Sendable {
    /// The path of BlueZ's object, constant while the device is connected.
    package let path: String
    /// The ATT MTU in bytes; `nil` when BlueZ doesn't report it.
    package let mtu: Int?

    package init(path: String, mtu: Int?) {
        self.path = path
        self.mtu = mtu
    }

    init(options: [String: BusValue]) {
        self.init(path: options["device"]?.text ?? "", mtu: options["mtu"]?.number)
    }
}

/// An event of a peripheral.
package enum PeripheralEvent: Hashable, Sendable {
    /// The state has changed.
    case state(PeripheralState)
    case connected(Central)
    /// The central with this path disconnected.
    case disconnected(String)
    /// The first central subscribed to the characteristic with this UUID.
    case subscribed(String)
    /// The last central unsubscribed from the characteristic with this UUID.
    case unsubscribed(String)
}

/// The state of a peripheral.
package enum PeripheralState: Hashable, Sendable {
    /// There is no system bus.
    case noBus
    /// bluetoothd doesn't run.
    case noDaemon
    /// No adapter supports the peripheral role.
    case noAdapter
    /// The adapter is switched off and could not be switched on.
    case off
    /// BlueZ rejected the services or the advertisement; tried again later.
    case refused
    /// Services and advertisement are registered. `address` is the adapter's.
    case ready(address: String)
}

/// The owner of a peripheral's values. Called on the peripheral's thread, so each function must return quickly.
package protocol PeripheralDelegate: Sendable {
    /// Returns the value of a characteristic; `nil` rejects the read.
    func value(of characteristic: String, for central: Central) -> [UInt8]?
    /// Accepts a written value; `false` rejects the write.
    func receive(_ value: [UInt8], for characteristic: String, from central: Central) -> Bool
    /// Receives an event.
    func happened(_ event: PeripheralEvent)
    /// Returns whether a device may pair. The peripheral has no display and no keys: pairing uses "Just Works".
    func allowsPairing() -> Bool
}
