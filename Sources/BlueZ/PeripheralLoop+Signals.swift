import Kernel
import Logging

/// Signals from BlueZ.
extension PeripheralLoop {
    func handle(_ message: BusMessage) -> Bool {
        if message.isMethodCall {
            guard message.path.hasPrefix(ObjectTree.root), let bus else { return false }
            do throws(BusError) {
                return try respond(to: message, bus)
            } catch {
                logger.warning("bluetooth: unreadable call", metadata: ["failure": "\(error)"])
                bus.refuse(message, "org.bluez.Error.Failed")
                return true
            }
        }
        guard message.isSignal else { return false }
        do throws(BusError) {
            try hear(message)
        } catch {
            logger.debug("bluetooth: unreadable signal", metadata: ["failure": "\(error)"])
        }
        return false
    }

    private func hear(_ message: BusMessage) throws(BusError) {
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

    func appeared(_ path: String, _ interfaces: BusInterfaces) {
        if let properties = interfaces[BlueZName.adapter], adapterName.map({ path.hasSuffix("/" + $0) }) ?? true {
            adapters[path] = Adapter(
                address: properties["Address"]?.text ?? "", isPowered: properties["Powered"]?.boolean ?? false
            )
        }
        adapters[path]?.interfaces.formUnion(interfaces.keys)
        if adapter == nil, adapters[path]?.isWhole == true { adapter = path }
        if let properties = interfaces[BlueZName.device] { changed(path, BlueZName.device, properties) }
    }

    private func disappeared(_ path: String, _ names: [String]) {
        if names.contains(BlueZName.device) { noteCentral(path, isConnected: false) }
        guard names.contains(BlueZName.adapter), adapters.removeValue(forKey: path) != nil, adapter == path else {
            return
        }
        leaveAdapter()
        adapter = adapters.filter { $0.value.isWhole }.keys.min()
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
            // A user switched it off on purpose: wait until it is switched on again.
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
