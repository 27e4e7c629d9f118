import Foundation
import HummingbirdTesting
import NIOCore
import Server
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A connection of OpenSSL's client over TLS 1.3.
private final class TLSClient: Sendable {
    private let process: Process
    private let input = Pipe()
    private let output = Pipe()

    init(port: Int) throws {
        // When the client ends, it closes the pipe that a test writes to.
        signal(SIGPIPE, SIG_IGN)
        process = Process()
        process.executableURL = TestCertificate.openSSL
        process.arguments = ["s_client", "-connect", "127.0.0.1:\(port)", "-tls1_3", "-ign_eof"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { process.terminate() }

    /// Reads until `text` arrives.
    /// - Returns: false if the server closed the connection before.
    func receives(_ text: String) -> Bool {
        var received = Data()
        while true {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { return false }
            received += bytes
            if received.range(of: Data(text.utf8)) != nil { return true }
        }
    }

    /// Whether the handshake is complete.
    func isConnected() -> Bool { receives("New, TLSv1.3") }

    /// - Returns: false if the server has closed the connection.
    func send(_ text: String) -> Bool {
        guard process.isRunning else { return false }
        return (try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))) != nil
    }

    /// Whether the server responds to a request on this connection.
    func isServed() -> Bool {
        send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n") && receives("HTTP/1.1 200")
    }

    /// Sends one byte after another.
    /// - Returns: true once the server has closed the connection.
    func isClosedWhileTrickling() -> Bool {
        for _ in 0..<600 {
            guard send("a") else { return true }
            Thread.sleep(forTimeInterval: 0.1)
        }
        return false
    }
}

@Suite("Slow clients over TLS 1.3")
struct SlowTLSClientTests {
    /// A handshake of a busy machine is shorter.
    private static let longGrace = 600.0

    /// Calls `body` with the port of a TLS server with these limits, on a thread that it may block.
    /// - Parameter grace: the seconds that a handshake, a request and a response may last.
    private func withLimits<Value: Sendable>(
        grace: Double = 0.5, perNetwork: Int = 8, _ body: @escaping @Sendable (Int) throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let limits = ConnectionLimits(
            grace: .milliseconds(Int64(grace * 1_000)), bytesPerSecond: 1_000_000, perNetwork: perNetwork)
        let result = Mutex<Value?>(nil)
        try await withServer(settings: try TestCertificate.settings(in: folder)) { harness async throws in
            try await harness.server.application(limits: limits).test(.live) { client in
                let port = try #require(client.port)
                let value = try await withCheckedThrowingContinuation { continuation in
                    Thread { continuation.resume(with: Result { try body(port) }) }.start()
                }
                result.withLock { $0 = value }
            }
        }
        return try #require(result.withLock { $0 })
    }

    /// Calls `body` with a client whose handshake is complete, and the limit in seconds. The limit is short, and longer
    /// on a machine whose handshakes last longer.
    private func withConnectedClient(_ body: @escaping @Sendable (TLSClient, Double) throws -> Void) async throws {
        var grace = 0.5
        while grace <= Self.longGrace {
            let isConnected = try await withLimits(grace: grace) { [grace] port in
                let client = try TLSClient(port: port)
                guard client.isConnected() else { return false }
                try body(client, grace)
                return true
            }
            if isConnected { return }
            grace *= 2
        }
        Issue.record("No handshake was complete")
    }

    @Test("A connection that was idle for longer than a request may last serves its first request")
    func unusedConnection() async throws {
        try await withConnectedClient { client, grace in
            Thread.sleep(forTimeInterval: 4 * grace)
            #expect(client.isServed())
            Thread.sleep(forTimeInterval: 4 * grace)
            #expect(client.isServed())
        }
    }

    @Test("A request that arrives too slowly closes the connection")
    func slowRequest() async throws {
        try await withConnectedClient { client, _ in
            #expect(client.send("GET /health/live HTTP/1.1\r\nX-Slow: "))
            #expect(client.isClosedWhileTrickling())
        }
    }

    @Test("A handshake that doesn't begin or arrives too slowly closes the connection", arguments: [true, false])
    func slowHandshake(hasBegun: Bool) async throws {
        try await withLimits { port in
            let connection = try RawConnection(port: port)
            // The header of a record of 256 bytes.
            if hasBegun { #expect(connection.send("\u{16}\u{3}\u{1}\u{1}\u{0}")) }
            var isClosed = false
            for _ in 0..<600 where !isClosed {
                isClosed = hasBegun && !connection.send("a") || connection.receive() == nil
            }
            #expect(isClosed)
        }
    }

    @Test("The connections of one network have a limit")
    func perNetwork() async throws {
        // The client that starts the server has a connection, too.
        try await withLimits(grace: Self.longGrace, perNetwork: 3) { port in
            let open = try [TLSClient(port: port), TLSClient(port: port)]
            for client in open { try #require(client.isConnected()) }
            #expect(try !TLSClient(port: port).isConnected())
            for client in open { #expect(client.isServed()) }
        }
    }
}
