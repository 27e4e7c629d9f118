import HTTPTypes
import Hummingbird
import NIOCore

/// The response to HEAD of a stream. An empty body would send a length of 0, but a stream's length is unknown, so
/// `Content-Length` is omitted. HTTP/1.1's encoder would then write the end of an empty chunked body, which the client
/// would take for the next response. The connection is therefore closed after the head. HTTP/2 has no chunks and no
/// headers of connections (RFC 9113, 8.2.2).
enum StreamHeadResponse {
    private struct BodyWithheld: Error {}

    static func finish(_ response: inout Response, over channel: any Channel) {
        guard response.headers[.transferEncoding] != nil else { return }
        response.headers[.contentLength] = nil
        if channel.isHTTP2Stream {
            response.headers[.transferEncoding] = nil
            response.body = ResponseBody { try await $0.finish(nil) }
        } else {
            response.headers[.connection] = "close"
            response.body = ResponseBody { _ in throw BodyWithheld() }
        }
    }
}
