import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A connection over TLS, with the certificate that is in use when it is opened.
struct TLSConnection<Base: ServerChildChannel>: ServerChildChannel {
    typealias Value = Base.Value

    let base: Base
    let certificates: CertificateFiles
    /// The maximum time from opening the connection to the end of its handshake.
    let handshakeLimit: TimeAmount

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers([
                NIOSSLServerHandler(context: certificates.context), HandshakeTimeout(handshakeLimit),
            ])
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
