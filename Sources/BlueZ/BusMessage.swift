import CSystemd

/// A message of the bus. Uses only the library's functions without variadic arguments: Swift imports no others.
///
/// Owns a reference; confined to the thread that created it.
final class BusMessage {
    let pointer: OpaquePointer

    /// Takes ownership of the reference.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    /// Retains a reference of its own.
    init(borrowing pointer: OpaquePointer) { self.pointer = sd_bus_message_ref(pointer) }

    deinit { sd_bus_message_unref(pointer) }

    // MARK: Header

    var path: String { text(sd_bus_message_get_path(pointer)) }
    var interface: String { text(sd_bus_message_get_interface(pointer)) }
    var member: String { text(sd_bus_message_get_member(pointer)) }
    var sender: String { text(sd_bus_message_get_sender(pointer)) }
    var isMethodCall: Bool { kind == UInt8(SD_BUS_MESSAGE_METHOD_CALL) }
    var isSignal: Bool { kind == UInt8(SD_BUS_MESSAGE_SIGNAL) }

    var cookie: UInt64 {
        var cookie: UInt64 = 0
        return sd_bus_message_get_cookie(pointer, &cookie) >= 0 ? cookie : 0
    }

    var replyCookie: UInt64 {
        var cookie: UInt64 = 0
        return sd_bus_message_get_reply_cookie(pointer, &cookie) >= 0 ? cookie : 0
    }

    var failure: BusError? {
        guard let error = sd_bus_message_get_error(pointer)?.pointee else { return nil }
        return .remote(name: text(error.name), message: text(error.message))
    }

    private var kind: UInt8 {
        var kind: UInt8 = 0
        return sd_bus_message_get_type(pointer, &kind) >= 0 ? kind : 0
    }

    private func text(_ characters: UnsafePointer<CChar>?) -> String { characters.map { String(cString: $0) } ?? "" }

    // MARK: Writing

    func append(_ value: BusValue) throws(BusError) {
        switch value {
        case .boolean(let value): try append("b", value ? Int32(1) : 0)
        case .byte(let value): try append("y", value)
        case .int16(let value): try append("n", value)
        case .uint16(let value): try append("q", value)
        case .uint32(let value): try append("u", value)
        case .string(let value): try append("s", text: value)
        case .path(let value): try append("o", text: value)
        case .bytes(let value):
            let result = value.withUnsafeBytes {
                sd_bus_message_append_array(pointer, Self.character("y"), $0.baseAddress, $0.count)
            }
            try checked(result, "append bytes")
        case .strings(let values):
            try container("a", "s") { () throws(BusError) in
                for value in values { try append("s", text: value) }
            }
        case .dictionary(let values):
            try append(values)
        }
    }

    /// Appends `a{sv}`, sorted by key.
    func append(_ values: [String: BusValue]) throws(BusError) {
        try container("a", "{sv}") { () throws(BusError) in
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                try container("e", "sv") { () throws(BusError) in
                    try append(.string(key))
                    try container("v", value.signature) { () throws(BusError) in try append(value) }
                }
            }
        }
    }

    /// Appends `a{oa{sa{sv}}}`, the reply to GetManagedObjects.
    func append(objects: [String: BusInterfaces]) throws(BusError) {
        try container("a", "{oa{sa{sv}}}") { () throws(BusError) in
            for (path, interfaces) in objects.sorted(by: { $0.key < $1.key }) {
                try container("e", "oa{sa{sv}}") { () throws(BusError) in
                    try append(.path(path))
                    try append(interfaces: interfaces)
                }
            }
        }
    }

    private func append(interfaces: BusInterfaces) throws(BusError) {
        try container("a", "{sa{sv}}") { () throws(BusError) in
            for (name, properties) in interfaces.sorted(by: { $0.key < $1.key }) {
                try container("e", "sa{sv}") { () throws(BusError) in
                    try append(.string(name))
                    try append(properties)
                }
            }
        }
    }

    private func append(_ type: Character, text: String) throws(BusError) {
        let result = text.withCString { sd_bus_message_append_basic(pointer, Self.character(type), $0) }
        try checked(result, "append \(type)")
    }

    private func append(_ type: Character, _ value: some Any) throws(BusError) {
        let result = withUnsafeBytes(of: value) {
            sd_bus_message_append_basic(pointer, Self.character(type), $0.baseAddress)
        }
        try checked(result, "append \(type)")
    }

    func container(
        _ type: Character, _ contents: String, _ fill: () throws(BusError) -> Void
    ) throws(BusError) {
        try checked(sd_bus_message_open_container(pointer, Self.character(type), contents), "open \(contents)")
        try fill()
        try checked(sd_bus_message_close_container(pointer), "close \(contents)")
    }

    static func character(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }
}
