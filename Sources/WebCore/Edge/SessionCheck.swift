package import Accounts
import HTTPTypes
import Hummingbird
package import Kernel
import Logging

/// Knows whose a session's token is.
package protocol SessionAuthority: Sendable {
    /// - Returns: the session and its account; `nil` for a token that is unknown, revoked, or of another kind.
    /// - Throws: when it can't be told. That is answered with 503: a person must not look signed out because of it.
    func identity(token: String, kind: Session.Kind) async throws -> Identity?

    /// Whether a session that was good when its request came in still is, whatever is believed for a while.
    /// - Throws: when it can't be told.
    func isGood(_ session: ID<Session>, of person: PersonID) async throws -> Bool

    /// Notes that somebody asks for something, and locks their session if it was left alone for too long or its browser
    /// was started anew.
    /// - Parameters:
    ///   - isLaunch: a page is loaded by a browser that was closed since the session was last opened.
    ///   - isActivity: the request keeps the session open.
    /// - Throws: when it can't be told.
    func attend(_ identity: Identity, isLaunch: Bool, isActivity: Bool) async throws -> Identity

    /// Drops what is believed of a person for a while: another process may have changed the account or its sessions.
    func forget(_ person: PersonID)
}

/// Loads the session, refuses writes from other websites, and maps errors with the person's language at hand.
struct SessionCheck: RouterMiddleware {
    typealias Context = AppContext

    let web: Web
    /// Whether a locked session gets past: for the lock itself and the ways in and out.
    var servesLocked = false
    /// Whether writes from other websites are refused; where no route answers there is nothing to write.
    var checksOrigin = true

    func handle(
        _ request: Request, context: AppContext, next: @concurrent (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        do {
            let credential = Credential(in: request.headers, cookieName: web.site.sessionCookie.name)
            if checksOrigin, credential?.kind != .bearer {
                try CrossOriginProtection.check(request.head, origin: web.site.url, language: context.language)
            }
            context.identity = try await identify(credential, context)
            if let session = context.identity?.session, session.isLocked, !servesLocked { throw AppError.locked }
            try OfflineKeeping.check(context)
            let known = context
            var response: Response
            if Self.isShort(request, context) {
                response = try await next(request, known)
            } else {
                // Making a page takes long for an event loop, and others wait for theirs there.
                response = try await withTaskExecutorPreference(globalConcurrentExecutor) {
                    try await next(request, known)
                }
            }
            if TabGate.holdsBack(response, context) {
                var gate = try TabGate.page(context)
                finish(&gate, credential, context)
                return gate
            }
            finish(&response, credential, context)
            web.offline.mark(&response, context, credential)
            return response
        } catch {
            var response = try ErrorMapping.response(to: error, context)
            web.offline.mark(
                &response, context, Credential(in: request.headers, cookieName: web.site.sessionCookie.name))
            return response
        }
    }

    /// Whether to stay on the event loop: a program changes something with few words, and gets few back. The store and
    /// the hashing of passwords have threads of their own.
    private static func isShort(_ request: Request, _ context: AppContext) -> Bool {
        guard context.face == .json, request.method != .get, request.method != .head else { return false }
        guard !request.headers.contains(.transferEncoding) else { return false }
        return request.headers[.contentLength].map { Int($0) ?? .max } ?? 0 <= Limits.loopBodyBytes
    }

    private func identify(_ credential: Credential?, _ context: AppContext) async throws -> Identity? {
        guard let credential else { return nil }
        do {
            let identity = try await web.sessions.identity(token: credential.token, kind: credential.kind)
            guard let identity, identity.session.locksByItself else { return identity }
            return try await web.sessions.attend(
                identity, isLaunch: context.isLaunch, isActivity: !servesLocked && context.path != LiveRoute.path)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            context.logger.error("A session could not be loaded", metadata: ["error": "\(error)"])
            throw AppError(.unavailable, WebStrings.of(context.language).unavailable)
        }
    }

    private func finish(_ response: inout Response, _ credential: Credential?, _ context: AppContext) {
        if response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] = "private, no-store"
            response.headers[.vary] = "Accept, HX-Request"
        }
        // A browser that comes back keeps its session: the cookie's time starts anew with each page.
        guard let credential, credential.kind == .cookie, context.identity != nil, context.head.method == .get,
            context.isDocument, response.status == .ok, response.headers[.contentType] == Answer.htmlType
        else { return }
        response.headers[values: .setCookie].append(web.site.sessionCookie.issuing(credential.token))
        if context.isLoad, let app = ShownApp.setting(context) { response.headers[values: .setCookie].append(app) }
    }
}

/// Maps errors of what runs without a session.
struct ErrorAnswers: RouterMiddleware {
    typealias Context = AppContext

    /// Devices get JSON whatever they accept.
    var asJSON = false

    func handle(
        _ request: Request, context: AppContext, next: @concurrent (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            return try ErrorMapping.response(to: error, context, asJSON: asJSON)
        }
    }
}
