/// A source of random bits. Passed to initializers everywhere, so that tests are repeatable.
package protocol RandomSource: Sendable {
    /// Returns 64 random bits.
    func uint64() -> UInt64
}

extension RandomSource {
    /// Returns `count` random bytes, for tokens and keys.
    package func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            withUnsafeBytes(of: uint64()) { bytes.append(contentsOf: $0) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}

/// The operating system's cryptographic random number generator.
package struct SystemRandom: RandomSource {
    package init() {}
    /// Returns 64 random bits from the operating system.
    package func uint64() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
