import Foundation
import Kernel
import Testing

@testable import Server

@Suite("Packaging")
struct PackagingTests {
    @Test(
        "A server may take as long to stop as it drains",
        arguments: [
            ("packaging/homeward/homeward.service", "TimeoutStopSec="),
            ("packaging/container/compose.yaml", "stop_grace_period: "),
            ("packaging/container/homeward.container", "--stop-timeout="),
        ])
    func stopping(path: String, name: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        let value = try #require(text.range(of: name)).upperBound
        let found = try #require(Int(text[value...].prefix(while: \.isNumber)))
        // A few seconds more, to close the store.
        #expect(found >= Limits.drainSeconds + Limits.shutdownSeconds + 5)
    }
}
