import HTTPTypes
import Hummingbird
import NIOCore

/// The responses to devices.
enum DeviceResponse {
    /// Returns JSON that is already encoded.
    static func json(_ body: [UInt8], status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        )
    }
}
