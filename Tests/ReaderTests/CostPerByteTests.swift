import Foundation
import Testing

/// Nothing that a client, a device or another server sends may cost more per byte because there is more of it: the time
/// of a server would be the square of what an attacker spends.
@Suite("The cost of a byte from outside")
struct CostPerByteTests {
    /// The longest input; the limit of each reader with `HOMEWARD_TEST_READER_BYTES`, as in `make soak`.
    private static let longest =
        ProcessInfo.processInfo.environment["HOMEWARD_TEST_READER_BYTES"].flatMap(Int.init) ?? 16 * 1024
    /// The longest input that is fed in pieces of one byte, each of which costs as much as several bytes of one piece.
    private static let longestInPieces = longest / 4
    /// How many times as long the long input is as the short one.
    static let factor = 8
    /// A linear reader needs eight times as long, a quadratic one 64 times.
    static let growth = 3 * Int64(factor)
    /// More than the slowest reader takes in a debug build, per byte.
    private static let nanosecondsPerByte: Int64 = 12_000
    /// A piece of one byte costs a call of the reader, too.
    private static let nanosecondsPerPiece: Int64 = 40_000
    /// What is never too long: less is lost in the noise of a measurement.
    static let nanosecondsAtLeast: Int64 = 4_000_000
    static let tries = 4

    @Test("The cost per byte doesn't grow with the number of bytes, in one piece or many", arguments: OutsideReader.all)
    func costIsLinear(_ reader: OutsideReader) async {
        for (before, after) in reader.frames {
            for unit in HostileBytes.all {
                for pieceBytes in reader.isFed ? [Int.max, 1] : [.max] {
                    let long = min(reader.limit, pieceBytes == 1 ? Self.longestInPieces : Self.longest)
                    func input(_ count: Int) -> [UInt8] {
                        Array(before.utf8) + HostileBytes.repeating(unit, count: count) + Array(after.utf8)
                    }
                    let (short, whole) = (input(max(1, long / Self.factor)), input(long))
                    let costs = await costs(reader, short, whole, pieceBytes)
                    #expect(
                        costs == nil,
                        "\(before)\(String(decoding: unit, as: UTF8.self))\(after): \(costs ?? "")")
                }
            }
        }
    }

    @Test("The list of readers is printed, and each has a limit")
    func list() {
        for reader in OutsideReader.all {
            #expect(reader.limit > 0)
            #expect(!reader.sources.isEmpty)
        }
        let lines = OutsideReader.all.map { "\($0.name): at most \($0.limit) bytes\($0.isFed ? ", in pieces" : "")" }
        #expect(Set(lines).count == lines.count)
        print(lines.sorted().joined(separator: "\n"))
    }

    /// - Returns: `nil` for costs that are in proportion to the bytes.
    private func costs(
        _ reader: OutsideReader, _ short: [UInt8], _ long: [UInt8], _ pieceBytes: Int
    ) async -> String? {
        var seen: [String] = []
        for _ in 0..<Self.tries {
            let cost = await nanoseconds { try await reader.read(long, pieceBytes) }
            guard cost > Self.nanosecondsAtLeast else { return nil }
            let less = await nanoseconds { try await reader.read(short, pieceBytes) }
            let most = Int64(long.count) * (pieceBytes == 1 ? Self.nanosecondsPerPiece : Self.nanosecondsPerByte)
            if cost <= less * Self.growth, cost <= most { return nil }
            seen.append("\(long.count) bytes \(cost / 1_000) µs, \(short.count) bytes \(less / 1_000) µs")
        }
        return seen.joined(separator: "; ")
    }

    /// The processor time of this thread. Unlike the time of day, it doesn't grow while other work runs. None of the
    /// readers waits, so that they stay on the thread.
    private func nanoseconds(_ work: () async throws -> Void) async -> Int64 {
        let start = Self.now
        try? await work()
        return Self.now - start
    }

    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
