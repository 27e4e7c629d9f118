import Crypto
package import Kernel

/// The code with which an owner claims a tracker: 12 symbols of Crockford's base32 (60 bits), shown as
/// `K7QF-2M9X-TR4C`. The server knows only its hash until an owner enters it.
package struct ClaimCode: Hashable, Sendable, CustomStringConvertible {
    /// The 12 symbols in upper case, without hyphens.
    package let symbols: String

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let length = 12
    private static let groupLength = 4

    /// Generates a random code.
    package init(random: any RandomSource) {
        var bits = random.uint64()
        var drawn: [UInt8] = []
        for _ in 0..<Self.length {
            drawn.append(Self.alphabet[Int(bits & 31)])
            bits >>= 5
        }
        symbols = String(decoding: drawn, as: UTF8.self)
    }

    /// Reads a typed code: ignores case, white space and hyphens; reads the letter O as 0, the letters I and L as 1.
    /// Returns `nil` unless 12 symbols remain.
    package init?(_ typed: some StringProtocol) {
        var read: [UInt8] = []
        for scalar in typed.unicodeScalars {
            if scalar.properties.isWhitespace || scalar.properties.isDash { continue }
            guard scalar.isASCII, read.count < Self.length else { return nil }
            var symbol = UInt8(truncatingIfNeeded: scalar.value)
            if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(symbol) { symbol -= 0x20 }
            switch symbol {
            case UInt8(ascii: "O"): symbol = UInt8(ascii: "0")
            case UInt8(ascii: "I"), UInt8(ascii: "L"): symbol = UInt8(ascii: "1")
            default: break
            }
            guard Self.alphabet.contains(symbol) else { return nil }
            read.append(symbol)
        }
        guard read.count == Self.length else { return nil }
        symbols = String(decoding: read, as: UTF8.self)
    }

    /// The code in groups of four, as shown to people.
    package var description: String {
        var text = ""
        for (index, symbol) in symbols.enumerated() {
            if index > 0, index.isMultiple(of: Self.groupLength) { text.append("-") }
            text.append(symbol)
        }
        return text
    }

    /// SHA-256 (FIPS 180-4) of the 12 symbols, 32 bytes; the server stores it and searches by it.
    package var hash: [UInt8] { Array(SHA256.hash(data: Array(symbols.utf8))) }
}
