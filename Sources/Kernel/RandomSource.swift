/// Where randomness comes from; a constructor argument everywhere, so that tests can repeat a run.
package protocol RandomSource: Sendable {
    /// 64 random bits.
    func uint64() -> UInt64
}

extension RandomSource {
    /// `count` random bytes, for tokens and keys.
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

/// The operating system's cryptographic generator.
package struct SystemRandom: RandomSource {
    /// Makes the operating system's generator.
    package init() {}
    /// 64 random bits from the operating system.
    package func uint64() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
