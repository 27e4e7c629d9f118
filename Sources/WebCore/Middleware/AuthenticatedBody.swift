import Hummingbird
import NIOCore

/// The body of a request with a session. A client may send it as slowly as the server's limits permit, so the session
/// is checked again when the whole body has arrived: a new password, for example, may have ended it in the meantime.
struct AuthenticatedBody: AsyncSequence, Sendable {
    let body: RequestBody
    /// - Throws: ``NotSignedIn`` if the session has ended; `AppError.locked`.
    let check: @Sendable () async throws -> Void

    func makeAsyncIterator() -> Iterator { Iterator(base: body.makeAsyncIterator(), check: check) }

    struct Iterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let check: @Sendable () async throws -> Void

        @concurrent
        mutating func next() async throws -> ByteBuffer? {
            if let buffer = try await base.next() { return buffer }
            try await check()
            return nil
        }
    }
}
