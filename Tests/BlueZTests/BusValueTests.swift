import CSystemd
import Glibc
import Testing

@testable import BlueZ

/// The two ends of a connection without a broker.
final class Wire {
    let near: OpaquePointer
    private let farDescriptor: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        farDescriptor = ends[1]
        var made: OpaquePointer?
        try #require(sd_bus_new(&made) >= 0)
        near = try #require(made)
        try #require(sd_bus_set_fd(near, ends[0], ends[0]) >= 0)
        try #require(sd_bus_start(near) >= 0)
    }

    deinit {
        sd_bus_close_unref(near)
        close(farDescriptor)
    }

    /// Returns a message that can be filled, then sealed and read.
    func message() throws -> BusMessage {
        var made: OpaquePointer?
        try #require(sd_bus_message_new_signal(near, &made, "/a", "a.b", "C") >= 0)
        return BusMessage(owning: try #require(made))
    }

    func sealed(_ message: BusMessage) throws -> BusMessage {
        try #require(sd_bus_message_seal(message.pointer, 1, 0) >= 0)
        try #require(sd_bus_message_rewind(message.pointer, 1) >= 0)
        return message
    }
}

@Suite struct BusValueTests {
    private static let values: [BusValue] = [
        .boolean(true), .boolean(false), .byte(200), .int16(-300), .uint16(65_535), .uint32(4_000_000_000),
        .string("Straße 7"), .string(""), .path("/org/bluez/hci0"), .bytes([]), .bytes(Array(0...255)),
        .strings([]), .strings(["read", "notify"]), .dictionary([:]),
        .dictionary(["device": .path("/a"), "offset": .uint16(22), "more": .dictionary(["b": .bytes([1])])]),
    ]

    @Test("A value reads back unchanged", arguments: values)
    func roundTrip(value: BusValue) throws {
        let wire = try Wire()
        let message = try wire.message()
        try message.append(value)
        let read = try wire.sealed(message)
        #expect(String(cString: try #require(sd_bus_message_get_signature(read.pointer, 1))) == value.signature)
        #expect(try read.read() == value)
        #expect(try read.read() == nil)
    }

    @Test("A value in a variant reads back unchanged", arguments: values)
    func variant(value: BusValue) throws {
        let wire = try Wire()
        let message = try wire.message()
        try message.append(variant: value)
        #expect(try wire.sealed(message).read() == value)
    }

    @Test("Objects with their interfaces and properties read back unchanged") func objects() throws {
        let tree = ObjectTree(services: [
            GATTService(
                uuid: "7e5a0001-6b1c-4c1f-9a53-686f6d657764",
                characteristics: [
                    GATTCharacteristic(uuid: "7e5a0002-6b1c-4c1f-9a53-686f6d657764", flags: [.read]),
                    GATTCharacteristic(
                        uuid: "7e5a0003-6b1c-4c1f-9a53-686f6d657764", flags: [.write, .writeWithoutResponse]),
                ])
        ])
        let wire = try Wire()
        let message = try wire.message()
        try message.append(objects: tree.objects)
        let read = try wire.sealed(message)
        #expect(String(cString: try #require(sd_bus_message_get_signature(read.pointer, 1))) == "a{oa{sa{sv}}}")
        let objects = try read.objects()
        #expect(objects == tree.objects)
        #expect(objects.count == 3)
        let path = try #require(tree.paths["7e5a0003-6b1c-4c1f-9a53-686f6d657764"])
        #expect(
            objects[path]?[BlueZName.gattCharacteristic]?["Flags"] == .strings(["write", "write-without-response"]))
    }

    @Test("Types that BlueZ doesn't use are skipped, the values after them are read") func unusedTypes() throws {
        let wire = try Wire()
        let message = try wire.message()
        try message.container("a", "{sv}") { () throws(BusError) in
            for (key, signature) in [("far", "x"), ("near", "s")] {
                try message.container("e", "sv") { () throws(BusError) in
                    try message.append(.string(key))
                    try message.container("v", signature) { () throws(BusError) in
                        if signature == "s" { return try message.append(.string("here")) }
                        var number: Int64 = 7
                        try checked(
                            sd_bus_message_append_basic(message.pointer, BusMessage.character("x"), &number), "x")
                    }
                }
            }
        }
        #expect(try wire.sealed(message).dictionary() == ["near": .string("here")])
    }

    @Test("A message of another type throws an error") func otherShape() throws {
        let wire = try Wire()
        let message = try wire.message()
        try message.append(.string("no dictionary"))
        let read = try wire.sealed(message)
        #expect(throws: BusError.self) { try read.dictionary() }
        #expect(throws: BusError.self) { try read.objects() }
        #expect(try read.readText() == "no dictionary")
        #expect(throws: BusError.self) { try read.readText() }
    }

    @Test("An advertisement has the properties it was created with") func advertisement() {
        let properties = Advertisement(
            serviceUUIDs: ["7e5a0001-6b1c-4c1f-9a53-686f6d657764"], localName: "Homeward TR4C",
            serviceData: ["0000fcb2-0000-1000-8000-00805f9b34fb": [0xff, 0]]
        ).properties
        #expect(properties["Type"] == .string("peripheral"))
        #expect(properties["LocalName"] == .string("Homeward TR4C"))
        #expect(
            properties["ServiceData"] == .dictionary(["0000fcb2-0000-1000-8000-00805f9b34fb": .bytes([0xff, 0])]))
        #expect(Advertisement(serviceUUIDs: [], localName: nil).properties["LocalName"] == nil)
    }
}
