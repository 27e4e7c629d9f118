import HTTPTypes
package import Hummingbird
import Kernel
import NIOCore

/// A request's raw body.
package enum Body {
    /// Reads the whole body.
    /// - Throws: `AppError` (too large) beyond `limit` bytes: at once if the length is declared, else as soon as the
    ///   limit is exceeded.
    package static func bytes(_ request: Request, limit: Int) async throws -> [UInt8] {
        try await checkDeclaredLength(of: request, limit: limit)
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw tooLarge(limit)
        } catch {
            throw UnreadableBody.orRefusal(error)
        }
        return Array(buffer.readableBytesView)
    }

    static func checkDeclaredLength(of request: Request, limit: Int) async throws {
        guard let declared = request.headers[.contentLength].flatMap(Int.init), declared > limit else { return }
        // Many clients read no response before they have sent the whole body. On connections that stay open,
        // Hummingbird reads the rest after the response. On a connection that closes, both sides would wait for each
        // other.
        let waits = ExpectedBody.isAwaited(request.headers)
        if request.headers[.connection]?.lowercased() == "close", declared <= Limits.discardedBytes, !waits {
            for try await _ in request.body {}
        }
        throw tooLarge(limit)
    }

    static func tooLarge(_ limit: Int) -> AppError {
        let t = Translator.english
        let message =
            limit >= 1024 * 1024
            ? t("That is too much at once. At most {n} MB can be taken.", ["n": String(limit / 1024 / 1024)])
            : t("That is too much at once. At most {n} kB can be taken.", ["n": String(limit / 1024)])
        return AppError(.tooLarge, message)
    }
}

/// Thrown when the connection or the framing broke while a body came in. The client can't receive a response.
struct UnreadableBody: Error {
    let cause: any Error

    /// Returns the error as it is if ``AuthenticatedBody`` refuses the request.
    static func orRefusal(_ error: any Error) -> any Error {
        error is NotSignedIn || error is AppError ? error : UnreadableBody(cause: error)
    }
}
