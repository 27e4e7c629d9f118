import Accounts
import Kernel
import NIOCore
import NIOEmbedded
import NIOHTTPTypes

@testable import WebCore

/// An open stream on a channel without a network.
struct TestListener: Sendable {
    let listener: LiveListener
    let channel: NIOAsyncTestingChannel

    /// - Parameter isBlocked: the client doesn't read, so no write ends.
    init(_ identity: Identity, on hub: LiveHub, isBlocked: Bool = false) async throws {
        channel = NIOAsyncTestingChannel()
        if isBlocked {
            try await channel.eventLoop.submit { [channel] in
                try channel.pipeline.syncOperations.addHandler(BlockedWrites())
            }.get()
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
        listener = try hub.listen(person: identity.account.id, session: identity.session.id, channel: channel)
        _ = try await listener.watchInput()
        _ = try await listener.open(after: 0)
    }

    /// The content that was written so far.
    func bodies() async throws -> [String] {
        // What the hub has given to the event loop is written before this.
        try await channel.eventLoop.submit {}.get()
        var bodies: [String] = []
        while let part = try await channel.readOutbound(as: HTTPResponsePart.self) {
            if case .body(let buffer) = part { bodies.append(String(buffer: buffer)) }
        }
        return bodies
    }

    /// The resources of the events that were written so far.
    func received() async throws -> [String] {
        try await bodies().compactMap { body in
            body.split(separator: "\"resource\":\"").last?.split(separator: "\"").first.map(String.init)
        }
    }

    func blockedWrites() async throws -> Int {
        try await channel.eventLoop.submit { [channel] in
            try channel.pipeline.syncOperations.handler(type: BlockedWrites.self).promises.count
        }.get()
    }
}

/// No write ends, as if the client didn't read.
final class BlockedWrites: ChannelOutboundHandler {
    typealias OutboundIn = NIOAny

    var promises: [EventLoopPromise<Void>?] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        promises.append(promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for promise in promises { promise?.fail(ChannelError.ioOnClosedChannel) }
    }
}
