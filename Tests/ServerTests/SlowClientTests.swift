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
private final class RawConnection {
    private let descriptor: Int32

    init(port: Int, receiveBufferBytes: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var bytes = receiveBufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        // An answer is waited for so long; between two bytes it is the slow client's pause.
        var pause = timeval(tv_sec: 0, tv_usec: 100_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &pause, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &pause, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    deinit { close(descriptor) }

    /// - Returns: false when the server has closed the connection.
    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Sends `text` again and again, and reads nothing.
    /// - Returns: true once the server has closed the connection; false when it is still open after `seconds`.
    func isClosed(whileSending text: String, seconds: Double) -> Bool {
        let bytes = Array(text.utf8)
        let end = ContinuousClock.now + .seconds(seconds)
        var sent = 0
        while ContinuousClock.now < end {
            let rest = bytes[(sent % bytes.count)...]
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // The full buffer of a connection that is open ends each try after the pause.
            if count < 0, errno != EAGAIN { return true }
            sent += max(0, count)
        }
        return false
    }

    /// - Returns: what came within the pause; `nil` when the server has closed the connection.
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
    private static let limits = ConnectionLimits(grace: .milliseconds(500), bytesPerSecond: 1_000_000)
    private static let head = "POST /accounts HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"

    /// Gives `body` the port of a server with short limits.
    private func withShortLimits(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        try await withServer { harness async throws in
            try await harness.server.application(limits: Self.limits).test(.live) { client in
                try await body(try #require(client.port))
            }
        }
    }

    /// Sends one byte after another until the server closes the connection.
    private func trickle(_ connection: RawConnection) -> Bool {
        for _ in 0..<100 {
            guard connection.send("a") else { return true }
            guard connection.receive() != nil else { return true }
        }
        return false
    }

    @Test("a body that trickles in loses its connection")
    func slowBody() async throws {
        try await withShortLimits { port in
            let connection = try RawConnection(port: port)
            #expect(connection.send("\(Self.head)Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"))
            #expect(trickle(connection))
        }
    }

    @Test("a head that trickles in loses its connection")
    func slowHead() async throws {
        try await withShortLimits { port in
            let connection = try RawConnection(port: port)
            #expect(connection.send("\(Self.head)X-Slow: "))
            #expect(trickle(connection))
        }
    }

    @Test("a client that asks and doesn't read loses its connection; one that reads keeps it")
    func slowReader() async throws {
        try await withShortLimits { port in
            // Pipelined: 30 MB of answers, more than the system's buffers hold.
            let request = "GET /static/none/vendor/world.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let slow = try RawConnection(port: port, receiveBufferBytes: 4_096)
            #expect(slow.isClosed(whileSending: String(repeating: request, count: 200), seconds: 60))
            let quick = try RawConnection(port: port)
            for _ in 0..<20 {
                #expect(quick.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                var answer: [UInt8]? = []
                while let part = answer, part.isEmpty { answer = quick.receive() }
                #expect(answer != nil)
            }
        }
    }
}
