import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

@testable import WebCore

@Suite("Files that are stored while they arrive")
struct StoredFileTests {
    private static let pieces = [
        "preamble\r\n", "--XX\r\nContent-Disposition: form-data; name=\"archive\"; filename=\"a\"\r\n\r\n",
        "12345678", "9\r\n--XX--", "\r\n", "epilogue",
    ]

    @Test("Each piece of the body is reported, also without bytes of the file")
    func reportsEachPiece() async throws {
        let reported = Shared<[String]>([])
        try await withSite(
            routes: { routes in
                routes.open.post("/archive") { request, context in
                    var request = request
                    request.body = RequestBody(
                        asyncSequence: AsyncStream<ByteBuffer> { continuation in
                            for piece in Self.pieces { continuation.yield(ByteBuffer(string: piece)) }
                            continuation.finish()
                        })
                    _ = try await Fields.readStoring("archive", request, context, limit: 1_000) { bytes in
                        reported.value.append(String(decoding: bytes, as: UTF8.self))
                    }
                    return Responses.noContent(context)
                }
            },
            { site async throws in
                let headers = HTTPFields.json.adding(.contentType, "multipart/form-data; boundary=XX")
                #expect(try await site.send(.post, "/archive", headers, "").status == .noContent)
            })
        // The parser keeps bytes that may begin a delimiter until the next piece.
        #expect(reported.value == ["", "", "123", "456789", "", ""])
    }
}
