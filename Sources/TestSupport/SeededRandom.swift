import Kernel
import Synchronization

/// A repeatable source of randomness: the same seed gives the same numbers (SplitMix64). Not for secrets.
package final class SeededRandom: RandomSource {
    private let state: Mutex<UInt64>

    package init(seed: UInt64 = 1) { state = Mutex(seed) }

    /// Returns the next 64 bits of the sequence.
    package func uint64() -> UInt64 {
        state.withLock { state in
            state &+= 0x9e37_79b9_7f4a_7c15
            var bits = state
            bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
            bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
            return bits ^ bits >> 31
        }
    }
}
