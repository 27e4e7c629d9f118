import Kernel
import TestSupport
import Testing
import WebCore

@testable import Server

@Suite("Connection counts")
struct ConnectionCountsTests {
    @Test("A reached limit is logged at most once a minute, with the network and the setting for proxies")
    func warning() {
        let clock = TestClock()
        let log = LogRecorder()
        let counts = ConnectionCounts(limit: 2, proxies: .none, clock: clock, logger: log.logger)
        #expect(counts.add(network: "192.0.2.1"))
        #expect(counts.add(network: "192.0.2.1"))
        #expect(log.entries.isEmpty)
        for _ in 0..<3 { #expect(!counts.add(network: "192.0.2.1")) }
        let warning = "warning limit=2 network=192.0.2.1 setting=HOMEWARD_TRUSTED_PROXIES"
        #expect(log.entries == [warning])
        clock.advance(seconds: 59)
        #expect(!counts.add(network: "192.0.2.1"))
        #expect(log.entries.count == 1)
        clock.advance(seconds: 1)
        #expect(!counts.add(network: "192.0.2.1"))
        #expect(log.entries == [warning, warning])
        counts.remove(network: "192.0.2.1")
        #expect(counts.add(network: "192.0.2.1"))
        #expect(log.entries.count == 2)
    }
}
