package import Accounts
import HTTPTypes
import Hummingbird
package import Kernel
import Logging

/// The source of sessions: finds, verifies and locks them.
package protocol SessionAuthority: Sendable {
    /// - Returns: the session and its account; `nil` for a token that is unknown, revoked, or of another kind.
    /// - Throws: when the store can't be read. The response is 503, so that the person doesn't appear to be signed
    ///   out.
    func identity(token: String, kind: Session.Kind) async throws -> Identity?

    /// Whether a session that was valid when its request came in still is, bypassing the cache.
    /// - Throws: when the store can't be read.
    func isValid(_ session: ID<Session>, of person: PersonID) async throws -> Bool

    /// Records the person's activity, and locks the session if it was inactive for too long or its browser was
    /// restarted.
    /// - Parameters:
    ///   - isLaunch: the browser was closed since the session was last unlocked, and now loads a page.
    ///   - isActivity: the request is an act of the person, and postpones the lock.
    /// - Throws: when the store can't be read.
    func touch(_ identity: Identity, isLaunch: Bool, isActivity: Bool) async throws -> Identity

    /// Drops the person's cached data: another process may have changed the account or its sessions.
    func forget(_ person: PersonID)
}

/// Loads the session, rejects writes from other websites, and maps errors in the person's language.
struct SessionMiddleware: RouterMiddleware {
    typealias Context = AppContext

    let web: Web
    /// Whether a locked session is served: for the lock screen, signing in and signing out.
    var servesLocked = false
    /// Whether shared devices are served. They aren't signed in on other routes, and other pages lead to their own.
    var servesSharedDevices = false
    /// Whether writes from other websites are rejected. A path without a route has no writes.
    var checksOrigin = true

    func handle(
        _ request: Request, context: AppContext, next: @concurrent (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var (request, context) = (request, context)
        var isMarked = true
        do {
            let credential = Credential(in: request.headers, cookieName: SiteCookie.session.name(on: web.site))
            if checksOrigin, credential?.kind != .bearer {
                try CrossOriginProtection.check(request.head, origin: web.site.url, language: context.language)
            }
            context.identity = try await identify(credential, context)
            if context.identity?.account.role == .sharedDevice, !servesSharedDevices {
                if Self.leadsToOtherPage(context) { return Responses.seeOther(context, to: SharedDevicePath.page) }
                context.identity = nil
                // Otherwise the browser would take it for a sign-out, and delete the cached pages.
                isMarked = false
            }
            if let credential, context.identity != nil, request.method != .get, request.method != .head {
                request.body = RequestBody(
                    asyncSequence: AuthenticatedBody(body: request.body) { [context] in
                        try await requireSession(of: credential, context)
                    })
            }
            if context.identity == nil { context.registration = await web.registration.current() }
            if context.registration == .setUpRequired, context.path != SetupPath.page, Self.leadsToOtherPage(context) {
                return Responses.seeOther(context, to: SetupPath.page)
            }
            if let session = context.identity?.session, session.isLocked, !servesLocked { throw AppError.locked }
            if !servesLocked, LaunchGuard.isHeldBack(context) {
                var gate = try LaunchGuard.page(context)
                finish(&gate, credential, context)
                return gate
            }
            try OfflineCachePolicy.check(context)
            if context.face == .page { recordProxy(context) }
            let (known, checked) = (context, request)
            var response: Response
            if Self.isShort(request, context) {
                response = try await next(checked, known)
            } else {
                // Rendering a page takes too long for an event loop, which also serves other requests.
                response = try await withTaskExecutorPreference(globalConcurrentExecutor) {
                    try await next(checked, known)
                }
            }
            finish(&response, credential, context)
            if isMarked { web.offline.mark(&response, context, credential) }
            return response
        } catch {
            var response = try ErrorMapping.response(to: error, context)
            guard isMarked else { return response }
            web.offline.mark(
                &response, context, Credential(in: request.headers, cookieName: SiteCookie.session.name(on: web.site)))
            return response
        }
    }

    /// Whether the request stays on the event loop: a program sends a change with a small body and gets a small
    /// response. The store and the password hashing have their own threads.
    private static func isShort(_ request: Request, _ context: AppContext) -> Bool {
        guard context.face == .json, request.method != .get, request.method != .head else { return false }
        guard !request.headers.contains(.transferEncoding) else { return false }
        // Without a length, a request of HTTP/1.1 has no body. One of HTTP/2 may have a body of any length.
        guard let length = request.headers[.contentLength] else { return !context.app.channel.isHTTP2Stream }
        return Int(length) ?? .max <= Limits.loopBodyBytes
    }

    private func recordProxy(_ context: AppContext) {
        guard context.clientAddressSource == .untrustedProxy, let peer = context.channel.remoteAddress?.ipAddress
        else { return }
        web.untrustedProxy.record(peer)
    }

    /// Whether a browser opens a page from which it is redirected, on a new server to the set-up. The page for a lost
    /// connection isn't one: the worker stores it before the set-up, and shows it afterwards.
    private static func leadsToOtherPage(_ context: AppContext) -> Bool {
        context.face == .page && context.head.method == .get && context.path != OfflineRoutes.page
    }

    private func identify(_ credential: Credential?, _ context: AppContext) async throws -> Identity? {
        guard let credential else { return nil }
        return try await reading(context) {
            let identity = try await web.sessions.identity(token: credential.token, kind: credential.kind)
            guard let identity, identity.session.locksAutomatically else { return identity }
            return try await web.sessions.touch(
                identity, isLaunch: context.isLaunch, isActivity: !servesLocked && context.isActivity)
        }
    }

    /// - Throws: ``NotSignedIn`` if the session ended since the request began; `AppError.locked`.
    private func requireSession(of credential: Credential, _ context: AppContext) async throws {
        let identity = try await reading(context) {
            try await web.sessions.identity(token: credential.token, kind: credential.kind)
        }
        guard let identity else { throw NotSignedIn() }
        if identity.session.isLocked, !servesLocked { throw AppError.locked }
    }

    private func reading(
        _ context: AppContext, _ read: () async throws -> Identity?
    ) async throws -> Identity? {
        do {
            return try await read()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            context.logger.error("A session could not be loaded", metadata: ["error": "\(error)"])
            throw AppError(.unavailable, context.t("Not possible right now. Try again in a moment."))
        }
    }

    private func finish(_ response: inout Response, _ credential: Credential?, _ context: AppContext) {
        if response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] = "private, no-store"
            response.headers[.vary] = "Accept, HX-Request"
        }
        // The cookie's lifetime is renewed with each page.
        guard let credential, credential.kind == .cookie, context.identity != nil, context.head.method == .get,
            context.isDocument, response.status == .ok, response.headers[.contentType] == Responses.htmlType
        else { return }
        response.headers.set(.session, to: credential.token, on: web.site)
        if context.isLoad { OpenerApp.remember(in: &response.headers, context) }
    }
}

/// Maps the errors of routes without a session.
struct ErrorMiddleware: RouterMiddleware {
    typealias Context = AppContext

    /// Devices get JSON, whatever they accept.
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
