import Hummingbird
import Kernel
import Storage
import TestSupport
import Testing

@testable import WebCore

@Suite("Metrics")
struct MetricTests {
    @Test("A family has one head, and escapes the values of labels")
    func text() {
        var family = MetricFamily("homeward_things", .gauge, help: "Things.")
        #expect(family.text.isEmpty)
        family.add(2)
        family.add(0.25, labels: [("name", "a\"b\\c\nd"), ("kind", "x")])
        #expect(
            family.text == """
                # HELP homeward_things Things.
                # TYPE homeward_things gauge
                homeward_things 2
                homeward_things{name="a\\"b\\\\c\\nd",kind="x"} 0.25

                """)
    }

    @Test("The groups of a histogram are exported as running totals")
    func histogram() {
        var family = MetricFamily("homeward_seconds", .histogram, help: "Times.")
        family.add(groups: [3, 0, 2], bounds: [0.001, 1], sum: 7.5, labels: [("kind", "read")])
        #expect(
            family.text == """
                # HELP homeward_seconds Times.
                # TYPE homeward_seconds histogram
                homeward_seconds_bucket{kind="read",le="0.001"} 3
                homeward_seconds_bucket{kind="read",le="1"} 3
                homeward_seconds_bucket{kind="read",le="+Inf"} 5
                homeward_seconds_sum{kind="read"} 7.5
                homeward_seconds_count{kind="read"} 5

                """)
    }

    @Test("Only refused credentials count as failed sign-ins")
    func failedSignIns() async throws {
        let metrics = WebMetrics()
        let codes: [AppError.Code] = [
            .malformed, .invalid, .unauthenticated, .forbidden, .notFound, .conflict, .tooLarge, .locked, .throttled,
            .internal, .unavailable,
        ]
        for kind in SignInKind.allCases {
            #expect(try await metrics.countingFailures(of: kind) { 7 } == 7)
            for code in codes {
                await #expect(throws: AppError.self) {
                    try await metrics.countingFailures(of: kind) { throw AppError(code, "No.") }
                }
            }
        }
        let text = metrics.exposition(liveListeners: 0, now: Instant(millisecondsSince1970: 0))
        for (kind, count) in [("password", 4), ("passkey", 4), ("provider", 4), ("code", 4), ("passcode", 5)] {
            #expect(text.contains("homeward_failed_sign_ins_total{kind=\"\(kind)\"} \(count)\n"))
        }
    }

    @Test("A kind of sign-in without failures is exported as 0")
    func zeros() {
        let text = WebMetrics().exposition(liveListeners: 0, now: Instant(millisecondsSince1970: 0))
        for kind in SignInKind.allCases {
            #expect(text.contains("homeward_failed_sign_ins_total{kind=\"\(kind.rawValue)\"} 0\n"))
        }
    }

    @Test("The times of transactions are exported by kind")
    func transactions() async throws {
        try await withSite { site async throws in
            func count(_ kind: String) async throws -> Int {
                let name = "homeward_store_transaction_seconds_count{kind=\"\(kind)\"} "
                let line = try await site.get("/metrics").text.split(separator: "\n").first { $0.hasPrefix(name) }
                return try #require(line.flatMap { Int($0.dropFirst(name.count)) })
            }
            let (reads, writes) = (try await count("read"), try await count("write"))
            try await site.database.read { _ in }
            try await site.database.read { _ in }
            try await site.database.write { _ in }
            #expect(try await count("read") == reads + 2)
            #expect(try await count("write") == writes + 1)
        }
    }
}
