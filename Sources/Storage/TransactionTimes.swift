import Foundation
import Synchronization

/// Counts transactions by the time that their caller waited, including the time in the queue. Without a lock: recording
/// costs two reads of the clock and two additions.
package final class TransactionTimes: Sendable {
    /// The upper bounds in seconds; a last group has no bound.
    package static let bounds: [Double] = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5,
    ]
    private static let nanosecondBounds = bounds.map { UInt64(($0 * 1e9).rounded()) }

    /// The counts at one time.
    package struct Counts: Sendable, Equatable {
        /// The number of transactions up to each of ``TransactionTimes/bounds``, and the number of longer ones.
        package let groups: [Int]
        /// The sum of all times.
        package let seconds: Double
    }

    private let groups = InlineArray<15, Atomic<Int>> { _ in Atomic(0) }
    private let nanoseconds = Atomic<UInt64>(0)

    /// Nanoseconds of a clock that is never set.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Counts a transaction that began at `started`.
    func record(since started: UInt64, until ended: UInt64 = TransactionTimes.now) {
        let time = ended > started ? ended - started : 0
        var group = 0
        while group < Self.nanosecondBounds.count, time > Self.nanosecondBounds[group] { group += 1 }
        groups[group].add(1, ordering: .relaxed)
        nanoseconds.add(time, ordering: .relaxed)
    }

    /// The present counts. Transactions that end at the same time may be missing in part.
    package var counts: Counts {
        Counts(
            groups: groups.indices.map { groups[$0].load(ordering: .relaxed) },
            seconds: Double(nanoseconds.load(ordering: .relaxed)) / 1e9)
    }
}
