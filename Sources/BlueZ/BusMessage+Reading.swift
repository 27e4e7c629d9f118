import CSystemd

extension BusMessage {
    /// Reads the next value; returns `nil` at the end of the container and for types that BlueZ doesn't use, which it
    /// skips.
    func read() throws(BusError) -> BusValue? {
        guard let (type, contents) = try peek() else { return nil }
        switch (type, contents) {
        case ("b", _): return .boolean(try basic(type, Int32(0)) != 0)
        case ("y", _): return .byte(try basic(type, UInt8(0)))
        case ("n", _): return .int16(try basic(type, Int16(0)))
        case ("q", _): return .uint16(try basic(type, UInt16(0)))
        case ("u", _): return .uint32(try basic(type, UInt32(0)))
        case ("s", _): return .string(try text(type))
        case ("o", _): return .path(try text(type))
        case ("v", _):
            var value: BusValue?
            try inside(type, contents) { () throws(BusError) in value = try read() }
            return value
        case ("a", "y"): return .bytes(try bytes())
        case ("a", "s"):
            var values: [String] = []
            try inside(type, contents) { () throws(BusError) in
                while let value = try read()?.text { values.append(value) }
            }
            return .strings(values)
        case ("a", "{sv}"): return .dictionary(try dictionary())
        default:
            try checked(sd_bus_message_skip(pointer, nil), "skip \(type)")
            return nil
        }
    }

    /// Reads an `s` or an `o`; throws for any other type.
    func readText() throws(BusError) -> String {
        guard let text = try read()?.text else { throw .unexpected("message without a name") }
        return text
    }

    /// Reads `a{sv}`, without the values of unsupported types.
    func dictionary() throws(BusError) -> [String: BusValue] {
        var values: [String: BusValue] = [:]
        try inside("a", "{sv}") { () throws(BusError) in
            while let (type, contents) = try peek() {
                try inside(type, contents) { () throws(BusError) in
                    let key = try readText()
                    values[key] = try read()
                }
            }
        }
        return values
    }

    /// Reads `a{sa{sv}}`.
    func interfaces() throws(BusError) -> BusInterfaces {
        var interfaces: BusInterfaces = [:]
        try inside("a", "{sa{sv}}") { () throws(BusError) in
            while let (type, contents) = try peek() {
                try inside(type, contents) { () throws(BusError) in
                    let name = try readText()
                    interfaces[name] = try dictionary()
                }
            }
        }
        return interfaces
    }

    /// Reads `a{oa{sa{sv}}}`.
    func objects() throws(BusError) -> [String: BusInterfaces] {
        var objects: [String: BusInterfaces] = [:]
        try inside("a", "{oa{sa{sv}}}") { () throws(BusError) in
            while let (type, contents) = try peek() {
                try inside(type, contents) { () throws(BusError) in
                    let path = try readText()
                    objects[path] = try interfaces()
                }
            }
        }
        return objects
    }

    private func peek() throws(BusError) -> (type: Character, contents: String)? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard try checked(sd_bus_message_peek_type(pointer, &type, &contents), "peek") > 0, type != 0 else {
            return nil
        }
        return (Character(UnicodeScalar(UInt8(bitPattern: type))), contents.map { String(cString: $0) } ?? "")
    }

    private func inside(
        _ type: Character, _ contents: String, _ body: () throws(BusError) -> Void
    ) throws(BusError) {
        try checked(sd_bus_message_enter_container(pointer, Self.character(type), contents), "enter \(contents)")
        try body()
        try checked(sd_bus_message_exit_container(pointer), "exit \(contents)")
    }

    private func basic<Value: BitwiseCopyable>(_ type: Character, _ initial: Value) throws(BusError) -> Value {
        var value = initial
        let result = withUnsafeMutableBytes(of: &value) {
            sd_bus_message_read_basic(pointer, Self.character(type), $0.baseAddress)
        }
        try checked(result, "read \(type)")
        return value
    }

    private func text(_ type: Character) throws(BusError) -> String {
        var characters: UnsafePointer<CChar>?
        let result = withUnsafeMutablePointer(to: &characters) {
            sd_bus_message_read_basic(pointer, Self.character(type), $0)
        }
        try checked(result, "read \(type)")
        return characters.map { String(cString: $0) } ?? ""
    }

    private func bytes() throws(BusError) -> [UInt8] {
        var start: UnsafeRawPointer?
        var count = 0
        try checked(sd_bus_message_read_array(pointer, Self.character("y"), &start, &count), "read bytes")
        return start.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }
}
