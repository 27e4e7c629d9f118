package import Hummingbird
import Kernel
import NIOCore

extension Fields {
    /// Reads a multipart form with one file that may be too large for memory.
    /// - Parameters:
    ///   - file: the name of the file's field. Its bytes aren't in the result.
    ///   - limit: bytes of the whole body.
    ///   - store: stores the next bytes of the file.
    /// - Throws: `AppError` as ``read(_:_:limit:multipartOnly:emptyAllowed:)``; errors of `store`.
    package static func readStoring(
        _ file: String, _ request: Request, _ context: some WebContext, limit: Int,
        store: ([UInt8]) async throws -> Void
    ) async throws -> Fields {
        let t = context.t
        let contentType = MultipartHeaders.parameters(of: request.headers[.contentType] ?? "")
        guard contentType[""] == "multipart/form-data" else {
            throw AppError(.malformed, t("Send the file in a form of the type multipart/form-data."), status: 415)
        }
        guard let boundary = contentType["boundary"], var parser = MultipartParser(boundary: boundary) else {
            throw malformed(t)
        }
        try await Body.checkDeclaredLength(of: request, limit: limit)
        var count = 0
        var iterator = request.body.makeAsyncIterator()
        do {
            while let buffer = try await next(&iterator) {
                count += buffer.readableBytes
                guard count <= limit else { throw Body.tooLarge(limit) }
                try parser.feed(buffer.readableBytesView)
                let bytes = parser.takeFile(file)
                if !bytes.isEmpty { try await store(bytes) }
            }
            return try form(parser.finish().map { ($0.name, try value(of: $0, t)) }, t)
        } catch is MultipartParser.Failure {
            throw malformed(t)
        }
    }
}
