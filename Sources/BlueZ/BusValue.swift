/// A D-Bus value of one of the types that BlueZ uses.
package enum BusValue: Hashable, Sendable {
    /// `b`
    case boolean(Bool)
    /// `y`
    case byte(UInt8)
    /// `n`
    case int16(Int16)
    /// `q`
    case uint16(UInt16)
    /// `u`
    case uint32(UInt32)
    /// `s`
    case string(String)
    /// `o`
    case path(String)
    /// `ay`
    case bytes([UInt8])
    /// `as`
    case strings([String])
    /// `a{sv}`
    case dictionary([String: BusValue])

    /// The value's type in D-Bus notation.
    package var signature: String {
        switch self {
        case .boolean: "b"
        case .byte: "y"
        case .int16: "n"
        case .uint16: "q"
        case .uint32: "u"
        case .string: "s"
        case .path: "o"
        case .bytes: "ay"
        case .strings: "as"
        case .dictionary: "a{sv}"
        }
    }

    /// The text of a string or object path.
    package var text: String? {
        switch self {
        case .string(let text), .path(let text): text
        default: nil
        }
    }

    package var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The number, for any of the unsigned types.
    package var number: Int? {
        switch self {
        case .byte(let value): Int(value)
        case .uint16(let value): Int(value)
        case .uint32(let value): Int(value)
        default: nil
        }
    }
}

/// The properties of an object's interfaces, by interface and property name.
package typealias BusInterfaces = [String: [String: BusValue]]
