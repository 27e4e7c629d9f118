/// Method calls from BlueZ.
extension PeripheralLoop {
    /// Returns `false` for unknown objects and methods; the library then replies with an error.
    func respond(to call: BusMessage, _ bus: Bus) throws(BusError) -> Bool {
        // Every process on the bus can send calls; only BlueZ may read values and pair.
        guard call.sender == owner else {
            bus.refuse(call, "org.freedesktop.DBus.Error.AccessDenied", "only BlueZ may call")
            return true
        }
        switch (call.interface, call.member) {
        case (BlueZName.objectManager, "GetManagedObjects"):
            let objects = tree.objects
            try bus.reply(to: call) { message throws(BusError) in try message.append(objects: objects) }
        case (BlueZName.properties, "GetAll"):
            let properties = tree.properties(of: try call.readText(), at: call.path) ?? [:]
            try bus.reply(to: call) { message throws(BusError) in try message.append(properties) }
        case (BlueZName.properties, "Get"):
            let interface = try call.readText()
            guard let value = tree.properties(of: interface, at: call.path)?[try call.readText()] else { return false }
            try bus.reply(to: call) { message throws(BusError) in try message.append(variant: value) }
        case (BlueZName.properties, "Set"):
            // BlueZ writes back the properties of the advertisement as it registered them.
            try bus.reply(to: call)
        case (BlueZName.gattCharacteristic, _):
            return try answerCharacteristic(call, bus)
        case (BlueZName.agent, _):
            return try answerAgent(call, bus)
        case (BlueZName.advertisement, "Release"):
            advertisementWasReleased(call.path)
            try bus.reply(to: call)
        default:
            return false
        }
        return true
    }

    private func answerCharacteristic(_ call: BusMessage, _ bus: Bus) throws(BusError) -> Bool {
        guard let characteristic = tree.characteristics[call.path] else { return false }
        switch call.member {
        case "ReadValue": try read(characteristic, call, bus)
        case "WriteValue": try write(characteristic, call, bus)
        case "StartNotify":
            if subscribed.insert(characteristic.uuid).inserted { delegate.happened(.subscribed(characteristic.uuid)) }
            try bus.reply(to: call)
        case "StopNotify":
            if subscribed.remove(characteristic.uuid) != nil { delegate.happened(.unsubscribed(characteristic.uuid)) }
            try bus.reply(to: call)
        case "Confirm": try bus.reply(to: call)
        default: return false
        }
        return true
    }

    private func read(_ characteristic: GATTCharacteristic, _ call: BusMessage, _ bus: Bus) throws(BusError) {
        let options = try call.dictionary()
        guard
            characteristic.flags.contains(.read),
            let value = delegate.value(of: characteristic.uuid, for: Central(options: options))
        else { return bus.refuse(call, "org.bluez.Error.NotPermitted") }
        // BlueZ reads a value longer than a packet in parts.
        let offset = options["offset"]?.number ?? 0
        guard offset <= value.count else { return bus.refuse(call, "org.bluez.Error.InvalidOffset") }
        try bus.reply(to: call) { message throws(BusError) in
            try message.append(.bytes(Array(value.dropFirst(offset))))
        }
    }

    private func write(_ characteristic: GATTCharacteristic, _ call: BusMessage, _ bus: Bus) throws(BusError) {
        guard case .bytes(let value)? = try call.read() else { throw .unexpected("value") }
        let options = try call.dictionary()
        // BlueZ asks for authorisation before a central sends the value; the value comes with a later call.
        if options["prepare-authorize"]?.boolean == true { return try bus.reply(to: call) }
        guard options["offset"]?.number ?? 0 == 0 else { return bus.refuse(call, "org.bluez.Error.InvalidOffset") }
        let isWritable = characteristic.flags.contains { $0 == .write || $0 == .writeWithoutResponse }
        guard isWritable, delegate.receive(value, for: characteristic.uuid, from: Central(options: options)) else {
            return bus.refuse(call, "org.bluez.Error.NotPermitted")
        }
        try bus.reply(to: call)
    }

    private func answerAgent(_ call: BusMessage, _ bus: Bus) throws(BusError) -> Bool {
        switch call.member {
        case "RequestAuthorization", "RequestConfirmation", "AuthorizeService":
            guard delegate.allowsPairing() else {
                bus.refuse(call, "org.bluez.Error.Rejected")
                return true
            }
            try bus.reply(to: call)
        case "Release", "Cancel": try bus.reply(to: call)
        default: return false
        }
        return true
    }
}

extension BusError {
    /// Returns whether the remote error is BlueZ's error of this name.
    func says(_ name: String) -> Bool {
        if case .remote(let remote, _) = self { remote.hasSuffix("." + name) } else { false }
    }
}

extension BusMessage {
    /// Appends `v`.
    func append(variant value: BusValue) throws(BusError) {
        try container("v", value.signature) { () throws(BusError) in try append(value) }
    }
}
