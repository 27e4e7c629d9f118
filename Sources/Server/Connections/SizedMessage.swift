import NIOCore
import NIOHTTPTypes

/// What a handler counts when it measures how fast a client is.
protocol SizedMessage: SendableMetatype {
    var byteCount: Int { get }
}

extension ByteBuffer: SizedMessage {
    var byteCount: Int { readableBytes }
}

extension HTTPRequestPart: SizedMessage {
    var byteCount: Int {
        guard case .body(let bytes) = self else { return 0 }
        return bytes.readableBytes
    }
}

extension HTTPResponsePart: SizedMessage {
    var byteCount: Int {
        guard case .body(let bytes) = self else { return 0 }
        return bytes.readableBytes
    }
}
