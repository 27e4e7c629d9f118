import Foundation
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Server
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A connection as a slow or hostile client uses it.
final class RawConnection: Sendable {
    private let descriptor: Int32

    /// - Parameter source: the client's own address on this machine.
    init(port: Int, receiveBufferBytes: Int32? = nil, source: String? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var bytes = receiveBufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        // The time to wait for a response, and the slow client's pause between two bytes.
        var pause = timeval(tv_sec: 0, tv_usec: 100_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &pause, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &pause, socklen_t(MemoryLayout<timeval>.size))
        let descriptor = descriptor
        if let source {
            let result = Self.withAddress(source, port: 0) { bind(descriptor, $0, $1) }
            try #require(result == 0)
        }
        let result = Self.withAddress("127.0.0.1", port: port) { connect(descriptor, $0, $1) }
        try #require(result == 0)
    }

    private static func withAddress(
        _ text: String, port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        inet_pton(AF_INET, text, &address.sin_addr)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }

    /// - Returns: false if the server has closed the connection.
    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Sends `text` repeatedly, and reads nothing.
    /// - Returns: true once the server has closed the connection; false if it is still open after `seconds`.
    func isClosed(whileSending text: String, seconds: Double) -> Bool {
        let bytes = Array(text.utf8)
        let end = ContinuousClock.now + .seconds(seconds)
        var sent = 0
        while ContinuousClock.now < end {
            let rest = bytes[(sent % bytes.count)...]
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // On an open connection with a full buffer, each try ends after the pause.
            if count < 0, errno != EAGAIN { return true }
            sent += max(0, count)
        }
        return false
    }

    /// Whether the server responds to a request on this connection instead of closing it.
    func isServed() -> Bool {
        guard send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n") else { return false }
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            guard let answer = receive() else { return false }
            if !answer.isEmpty { return true }
        }
        return false
    }

    /// - Returns: the bytes received within the pause; `nil` if the server has closed the connection.
    func receive(_ limit: Int = 4_096) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &bytes, limit, 0)
        if count == 0 { return nil }
        guard count > 0 else { return errno == EAGAIN ? [] : nil }
        return Array(bytes.prefix(count))
    }
}

@Suite("Slow clients")
struct SlowClientTests {
    private static let limits = ConnectionLimits(grace: .milliseconds(500), bytesPerSecond: 1_000_000, perNetwork: 3)
    private static let head = "POST /accounts HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"

    /// Calls `body` with the port of a server with short limits.
    private func withShortLimits(
        settings: [String: String] = [:], _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await withServer(settings: settings) { harness async throws in
            try await harness.server.application(limits: Self.limits).test(.live) { client in
                try await body(try #require(client.port))
            }
        }
    }

    /// Runs blocking work on a separate thread. On the test's own threads it would block the server, too.
    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: work()) }.start()
        }
    }

    private func isServed(_ connection: RawConnection) async -> Bool { await onThread { connection.isServed() } }

    /// Sends one byte after another until the server closes the connection.
    private func isClosedWhileTrickling(_ connection: RawConnection) async -> Bool {
        await onThread {
            for _ in 0..<100 {
                guard connection.send("a"), connection.receive() != nil else { return true }
            }
            return false
        }
    }

    @Test("A body that arrives too slowly closes the connection")
    func slowBody() async throws {
        try await withShortLimits { port async throws in
            let connection = try RawConnection(port: port)
            #expect(connection.send("\(Self.head)Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"))
            #expect(await isClosedWhileTrickling(connection))
        }
    }

    @Test("A head that arrives too slowly closes the connection")
    func slowHead() async throws {
        try await withShortLimits { port async throws in
            let connection = try RawConnection(port: port)
            #expect(connection.send("\(Self.head)X-Slow: "))
            #expect(await isClosedWhileTrickling(connection))
        }
    }

    @Test("A client that doesn't read the response loses its connection; one that reads keeps it")
    func slowReader() async throws {
        try await withShortLimits { port async throws in
            // Pipelined: 30 MB of responses, more than the system's buffers hold.
            let request = "GET /static/none/vendor/world.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let slow = try RawConnection(port: port, receiveBufferBytes: 4_096)
            let isClosed = await onThread {
                slow.isClosed(whileSending: String(repeating: request, count: 200), seconds: 60)
            }
            #expect(isClosed)
            let quick = try RawConnection(port: port)
            for _ in 0..<20 { #expect(await isServed(quick)) }
        }
    }

    @Test("One network has a limited number of connections; closing one allows another")
    func perNetwork() async throws {
        try await withShortLimits { port async throws in
            var open = try (0..<3).map { _ in try RawConnection(port: port, source: "127.0.0.2") }
            for connection in open { #expect(await isServed(connection)) }
            let fourth = try RawConnection(port: port, source: "127.0.0.2")
            #expect(await !isServed(fourth))
            for connection in open { #expect(await isServed(connection)) }
            let elsewhere = try RawConnection(port: port, source: "127.0.0.3")
            #expect(await isServed(elsewhere))
            open.removeLast()
            // The server notices the end of a connection a moment later.
            let end = ContinuousClock.now + .seconds(30)
            var isAdmitted = false
            while !isAdmitted, ContinuousClock.now < end {
                isAdmitted = await isServed(try RawConnection(port: port, source: "127.0.0.2"))
            }
            #expect(isAdmitted)
        }
    }

    @Test("The connections of a trusted proxy have no limit, because they are those of all clients")
    func trustedProxy() async throws {
        try await withShortLimits(settings: ["HOMEWARD_TRUSTED_PROXIES": "127.0.0.2"]) { port async throws in
            let open = try (0..<10).map { _ in try RawConnection(port: port, source: "127.0.0.2") }
            for connection in open { #expect(await isServed(connection)) }
        }
    }
}
