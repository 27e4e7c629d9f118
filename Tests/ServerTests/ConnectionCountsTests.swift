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
        let counts = ConnectionCounts(of: .connections, perNetwork: 2, proxies: .none, clock: clock, logger: log.logger)
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

    @Test(
        "The warning names what is counted",
        arguments: [
            (.connections, "A network has reached its limit of connections."),
            (.streams, "A network has reached its limit of HTTP/2 streams."),
        ] as [(ConnectionCounts.Subject, String)])
    func subject(_ subject: ConnectionCounts.Subject, expected: String) throws {
        let log = LogRecorder()
        let counts = ConnectionCounts(
            of: subject, perNetwork: 0, proxies: .none, clock: TestClock(), logger: log.logger)
        #expect(!counts.add(network: "192.0.2.1"))
        #expect(try #require(log.lines.first).contains(expected))
    }

    @Test("All networks and trusted proxies together have a limit; a refused one isn't counted")
    func inAll() {
        let log = LogRecorder()
        let counts = ConnectionCounts(
            of: .streams, perNetwork: 2, inAll: 3, proxies: .none, clock: TestClock(), logger: log.logger)
        // A trusted proxy has no network.
        #expect(counts.add(network: nil))
        #expect(counts.add(network: nil))
        #expect(counts.add(network: "192.0.2.1"))
        #expect(!counts.add(network: "192.0.2.1"))
        #expect(!counts.add(network: "192.0.2.2"))
        #expect(!counts.add(network: nil))
        #expect(log.entries == ["warning limit=3"])
        counts.remove(network: nil)
        #expect(counts.add(network: "192.0.2.2"))
        #expect(!counts.add(network: nil))
    }
}
