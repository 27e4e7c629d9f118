import Foundation
import Hummingbird
import HummingbirdTesting
import Kernel
import Server
import TestSupport
import Testing

@Suite("Slow uploads of archives")
struct SlowUploadTests {
    static let part = "--XX\r\nContent-Disposition: form-data; name=\"archive\"; filename=\"a.zip\"\r\n\r\n"

    @Test(
        "An upload that is too slow is refused, wherever its bytes are",
        arguments: [("before the file", ""), ("in the file", part), ("after the file", part + "zip\r\n--XX--")])
    func slow(place: String, start: String) async throws {
        try await withServer(.sqlite, .live) { server async throws in
            let token = try await ChildrenFixture.join("mia@example.org", server)
            let connection = try RawConnection(port: try #require(server.client.port))
            let head = [
                "POST /account/import HTTP/1.1", "Host: localhost", "Accept: application/json",
                "Authorization: Bearer \(token)", "Content-Type: multipart/form-data; boundary=XX",
                "Content-Length: 100000",
            ]
            try #require(connection.send(head.joined(separator: "\r\n") + "\r\n\r\n" + start))
            let response = await answer(whileSending: "a", on: connection, server.clock)
            #expect(response.hasPrefix("HTTP/1.1 422") && response.contains("took too long"), "\(place): \(response)")
        }
    }

    /// Sends `text` repeatedly, a bit more than a minute of the server's clock apart, until the response is there.
    private func answer(whileSending text: String, on connection: RawConnection, _ clock: TestClock) async -> String {
        // On a thread of its own, because it blocks.
        await withCheckedContinuation { continuation in
            Thread {
                var response = ""
                let end = ContinuousClock.now + .seconds(30)
                while !response.contains("took too long"), ContinuousClock.now < end {
                    _ = connection.send(text)
                    guard let bytes = connection.receive() else { break }
                    response += String(decoding: bytes, as: UTF8.self)
                    clock.advance(seconds: 61)
                }
                continuation.resume(returning: response)
            }.start()
        }
    }
}
