import HTTPTypes
import Hummingbird

/// What HEAD is answered where GET makes a stream. Its length is not 0, as an empty body has it, but unknown: the header
/// is left out. Then the encoder would write the end of an empty body, which HEAD has not, and the client take it for
/// the next answer; so the connection ends behind the head.
enum HeadAnswer {
    private struct NoBody: Error {}

    static func finish(_ response: inout Response) {
        guard response.headers[.transferEncoding] != nil else { return }
        response.body = ResponseBody { _ in throw NoBody() }
        response.headers[.contentLength] = nil
        response.headers[.connection] = "close"
    }
}
