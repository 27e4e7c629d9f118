import HTTPTypes
import Hummingbird

/// The response to HEAD of a stream. An empty body would send a length of 0, but a stream's length is unknown, so
/// `Content-Length` is omitted. The encoder would then write the end of an empty chunked body, which the client would
/// take for the next response. The connection is therefore closed after the head.
enum StreamHeadResponse {
    private struct BodyWithheld: Error {}

    static func finish(_ response: inout Response) {
        guard response.headers[.transferEncoding] != nil else { return }
        response.body = ResponseBody { _ in throw BodyWithheld() }
        response.headers[.contentLength] = nil
        response.headers[.connection] = "close"
    }
}
