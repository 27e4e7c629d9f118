/// The objects exported to BlueZ, by their paths.
struct ObjectTree {
    static let root = "/org/homeward"
    static let applicationPath = "/org/homeward/application"
    static let agentPath = "/org/homeward/agent"

    static func advertisementPath(_ number: Int) -> String { "/org/homeward/advertisement\(number)" }

    /// The path of each characteristic, by its UUID.
    let paths: [String: String]
    /// The characteristic of each path.
    let characteristics: [String: GATTCharacteristic]
    /// The reply to GetManagedObjects.
    let objects: [String: BusInterfaces]
    /// The current advertisement and the path of its object.
    var advertisement: (path: String, content: Advertisement)?

    init(services: [GATTService]) {
        var paths: [String: String] = [:]
        var characteristics: [String: GATTCharacteristic] = [:]
        var objects: [String: BusInterfaces] = [:]
        for (number, service) in services.enumerated() {
            let servicePath = "\(Self.applicationPath)/service\(number)"
            objects[servicePath] = [
                BlueZName.gattService: ["UUID": .string(service.uuid), "Primary": .boolean(true)]
            ]
            for (index, characteristic) in service.characteristics.enumerated() {
                let path = "\(servicePath)/characteristic\(index)"
                paths[characteristic.uuid] = path
                characteristics[path] = characteristic
                objects[path] = [
                    BlueZName.gattCharacteristic: [
                        "UUID": .string(characteristic.uuid), "Service": .path(servicePath),
                        "Flags": .strings(characteristic.flags.map(\.rawValue)),
                    ]
                ]
            }
        }
        self.paths = paths
        self.characteristics = characteristics
        self.objects = objects
    }

    /// Returns all properties of one interface of one object.
    func properties(of interface: String, at path: String) -> [String: BusValue]? {
        if let advertisement, advertisement.path == path, interface == BlueZName.advertisement {
            return advertisement.content.properties
        }
        return objects[path]?[interface]
    }
}
