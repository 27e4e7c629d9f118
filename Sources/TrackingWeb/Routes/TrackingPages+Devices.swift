import Foundation
import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import Tracking
import TrackerProtocol
import WebCore

/// The device endpoints: no session, no cookies, and as little work as possible before the database.
extension TrackingPages {
    // MARK: Trackers

    @Sendable func firstContact(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await Body.bytes(request, limit: Limits.ingestBytes)
        let answer = try await service.firstContact(body, clientAddress: context.clientAddress)
        return Self.json(answer, status: .created)
    }

    @Sendable func trackerMessages(_ request: Request, _ context: AppContext) async throws -> Response {
        let id = try context.text("id")
        let body = try await Body.bytes(request, limit: Limits.ingestBytes)
        let signature = HTTPField.Name(TrackerHTTP.signatureHeader)
        let reply = try await service.trackerMessages(
            id, body: body, signature: signature.flatMap { request.headers[$0] }
        )
        guard !reply.body.isEmpty else {
            // A client that isn't authenticated as the tracker gets no signed response.
            if reply.status != 401 { throw AppError(.malformed, "This can't be read.") }
            throw AppError(.unauthenticated, "This is not signed by that tracker.")
        }
        var response = Self.json(reply.body, status: HTTPResponse.Status(code: reply.status))
        if let signature, let value = reply.signature { response.headers[signature] = value }
        return response
    }

    // MARK: Apps

    @Sendable func ingestOwnTracks(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let credential = BasicCredential(request.headers[.authorization]) else {
            return try Self.unauthorized(context)
        }
        let body = try await Body.bytes(request, limit: Limits.ingestBytes)
        let answer = try await service.ingestOwnTracks(
            user: credential.user, password: credential.password, body: body
        )
        switch answer {
        case .unauthorized: return try Self.unauthorized(context)
        case .malformed: throw AppError(.malformed, "This is not JSON.")
        case .accepted(let array): return Self.json(array, status: .ok)
        }
    }

    @Sendable func ingestOsmAnd(_ request: Request, _ context: AppContext) async throws -> Response {
        if request.method == .post, Self.isJSON(request) {
            let body = try await Body.bytes(request, limit: Limits.ingestBytes)
            return try Self.answer(await service.ingestTraccar(body: body), unknown: .notFound)
        }
        var pairs = context.queryItems()
        if pairs.isEmpty, request.method == .post {
            let body = try await Body.bytes(request, limit: Limits.ingestBytes)
            pairs = URLEncodedForm.pairs(of: body, lenient: true) ?? []
        }
        // OsmAnd sends positions with GET. HEAD has to respond like GET without storing anything (RFC 9110, 9.3.2),
        // because link previews and monitors use it.
        let answer =
            request.method == .head
            ? try await service.recognizeOsmAnd(query: pairs) : try await service.ingestOsmAnd(query: pairs)
        return try Self.answer(answer, unknown: .badRequest)
    }

    /// The fast path for a position in a query. Returns `false` for everything that the usual route has to handle.
    @Sendable func ingestOsmAndFast(_ query: Substring) async throws -> Bool {
        guard let pairs = URLEncodedForm.pairs(of: String(query), lenient: true) else { return false }
        return try await service.ingestOsmAnd(query: pairs) == .accepted
    }

    // MARK: Clouds

    @Sendable func ingestHologram(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await Body.bytes(request, limit: Limits.ingestBytes)
        return try await ingestHologram(secret: Credential.bearerToken(in: request.headers) ?? "", body: body)
    }

    /// For routes at Hologram that can't send a header. Logs of proxies may contain the path.
    @Sendable func ingestHologramByPath(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await Body.bytes(request, limit: Limits.ingestBytes)
        return try await ingestHologram(secret: context.text("secret"), body: body)
    }

    private func ingestHologram(secret: String, body: [UInt8]) async throws -> Response {
        switch try await service.ingestHologram(secret: secret, body: body) {
        case .unauthorized: throw AppError(.unauthenticated, "This is none of this server's addresses.")
        case .malformed: throw AppError(.malformed, "This is not JSON.")
        case .accepted: return Response(status: .ok)
        }
    }

    private static func isJSON(_ request: Request) -> Bool {
        request.headers[.contentType]?.lowercased().hasPrefix("application/json") ?? false
    }

    private static func answer(_ answer: OsmAndResponse, unknown: HTTPResponse.Status) throws -> Response {
        switch answer {
        case .accepted: return Response(status: .ok)
        case .malformed: throw AppError(.malformed, "This can't be read.")
        case .unknownDevice:
            if unknown == .notFound { throw AppError.notFound }
            throw AppError(.malformed, "There is no such device.")
        }
    }

    private static func unauthorized(_ context: AppContext) throws -> Response {
        var response = try Responses.refusal(AppError(.unauthenticated, "User or password is wrong."), context)
        response.headers[.wwwAuthenticate] = "Basic realm=\"Homeward\", charset=\"UTF-8\""
        return response
    }

    private static func json(_ body: [UInt8], status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        )
    }
}

/// The user and password of HTTP's Basic scheme (RFC 7617).
struct BasicCredential: Equatable {
    let user: String
    let password: String

    /// Parses an `Authorization` header; returns `nil` for any other scheme or an invalid value.
    init?(_ header: String?) {
        guard let header, let space = header.firstIndex(of: " "), header[..<space].lowercased() == "basic",
            let data = Data(base64Encoded: header[space...].trimmingCharacters(in: .whitespaces)),
            StreamSafeText.isValid(data), let colon = data.firstIndex(of: UInt8(ascii: ":")),
            let user = String(validating: data[..<colon], as: UTF8.self),
            let password = String(validating: data[(colon + 1)...], as: UTF8.self)
        else { return nil }
        self.user = user
        self.password = password
    }
}
