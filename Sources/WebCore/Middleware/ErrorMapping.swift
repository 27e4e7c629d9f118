import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import Logging
import Storage

/// Maps every error that a handler throws to a response.
enum ErrorMapping {
    /// A page or JSON for `error`.
    /// - Throws: only when the request was aborted, so that the client can't receive a response.
    static func response(to error: any Error, _ context: AppContext, asJSON: Bool = false) throws -> Response {
        if let broken = error as? UnreadableBody { throw broken.cause }
        if error is NotSignedIn, !asJSON, let response = signInFirst(context) { return response }
        let known = appError(error, context)
        let isLocked = known.code == .locked && !asJSON
        if isLocked, let response = LockRedirect.response(context) { return response }
        count(known, context.web)
        // A locked request for something else than a page, such as an image, gets the error as JSON.
        let isForProgram = asJSON || context.face == .json || (isLocked && context.face == .page)
        var response = try isForProgram ? json(known, context) : page(known, context)
        if isLocked, context.face == .fragment { response.headers[.hxRedirect] = lockPlace(context) }
        if let seconds = known.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
        response.headers[.xRequestID] = context.requestID
        if status(of: known) == .methodNotAllowed {
            response.headers[.allow] = context.web.allowedMethods(path: context.path).joined(separator: ", ")
        }
        return response
    }

    static func count(_ error: AppError, _ web: Web) { web.metrics.countError(error.code) }

    static func status(of error: AppError) -> HTTPResponse.Status {
        if let status = error.status { return HTTPResponse.Status(code: status) }
        switch error.code {
        case .malformed: return .badRequest
        case .invalid: return .unprocessableContent
        case .unauthenticated: return .unauthorized
        case .forbidden: return .forbidden
        case .notFound: return .notFound
        case .conflict, .insufficientFunds, .rewardNotFunded: return .conflict
        case .tooLarge: return .contentTooLarge
        case .locked: return HTTPResponse.Status(code: 423)
        case .throttled: return .tooManyRequests
        case .internal: return .internalServerError
        case .unavailable: return .serviceUnavailable
        }
    }

    // Redirects a browser to the sign-in page, which returns to the requested page. Only reads have a return path.
    private static func signInFirst(_ context: AppContext) -> Response? {
        guard context.face != .json else { return nil }
        let isReading = context.head.method == .get || context.head.method == .head
        var target = "/sign-in"
        if isReading, let path = LocalPath(context.uri.string)?.text, context.face == .page {
            target += "?return=" + PercentEncoding.encoded(path, keepingSlashes: true)
        }
        return Responses.seeOther(context, to: target)
    }

    // A fragment can't show the lock screen, so the page around it is redirected there.
    private static func lockPlace(_ context: AppContext) -> String {
        let page = context.head.headerFields[.hxCurrentURL].flatMap { $0.hasPrefix(context.site.url) ? $0 : nil }
        return LockRedirect.place(returning: page.map { String($0.dropFirst(context.site.url.count)) })
    }

    private static func appError(_ error: any Error, _ context: AppContext) -> AppError {
        switch error {
        case let error as AppError:
            if error.code == .internal {
                context.logger.error("Request failed", metadata: ["error": "\(error.message)"])
            }
            return error.code == .internal
                ? internalError(context.t) : error
        case is NotSignedIn:
            let token = Credential.bearerToken(in: context.head.headerFields)
            guard token?.hasPrefix(AccessToken.prefix) == true else {
                return AppError(.unauthenticated, context.t("Sign in first."))
            }
            return AppError(.unauthenticated, context.t("This access token isn’t valid, has expired or was revoked."))
        case is CancellationError, StorageError.outcomeUnknown:
            return AppError(.unavailable, context.t("Not possible right now. Try again in a moment."))
        case let error as any HTTPResponseError:
            return framework(error.status, context, context.t)
        default:
            context.logger.error(
                "Request failed", metadata: ["error": "\(error)", "route": "\(context.endpointPath ?? "-")"])
            return internalError(context.t)
        }
    }

    private static func internalError(_ t: Translator) -> AppError {
        AppError(
            .internal,
            t(
                """
                Something went wrong on our side. Try again; if the problem persists, tell the administrator the \
                request’s number.
                """))
    }

    // Hummingbird's own errors, in the format of our errors.
    private static func framework(
        _ status: HTTPResponse.Status, _ context: AppContext, _ t: Translator
    ) -> AppError {
        switch status.code {
        case 404:
            if context.endpointPath == "NotFound", !context.web.allowedMethods(path: context.path).isEmpty {
                return AppError(.malformed, t("This can’t be done here."), status: 405)
            }
            return AppError(.notFound, t("There is nothing here."))
        case 401: return AppError(.unauthenticated, t("Sign in first."))
        case 403: return AppError(.forbidden, t("You may not do this."))
        case 413: return AppError(.tooLarge, t("That is too much at once."))
        case 415: return AppError(.malformed, t("Send JSON or a form."), status: 415)
        case 422: return AppError(.invalid, t("This request can’t be read."))
        case 503: return AppError(.unavailable, t("Not possible right now. Try again in a moment."))
        case 400..<500: return AppError(.malformed, t("This request can’t be read."))
        default:
            return internalError(context.t)
        }
    }

    // MARK: Formats

    private struct Body: Encodable {
        struct Content: Encodable {
            let code: String
            let message: String
            let fields: [String: String]
            let requestId: String
        }

        let error: Content
    }

    private static func json(_ error: AppError, _ context: AppContext) throws -> Response {
        // The error of a queued change is shown in a page by a script, so it is in the reader's language.
        let error =
            context.header(.homewardAccount) == nil ? error : error.translated(to: context.language)
        let content = Body.Content(
            code: error.code.rawValue, message: error.message, fields: error.fields, requestId: context.requestID
        )
        return try Responses.json(context, Body(error: content), status: status(of: error))
    }

    private static func page(_ error: AppError, _ context: AppContext) throws -> Response {
        let error = error.translated(to: context.language)
        let page = ErrorPage(error, status: status(of: error), context)
        return try Responses.page(
            context, template: "error", fragment: "error-fragment", status: status(of: error), page)
    }
}

/// The page for an error outside a form.
struct ErrorPage {
    let shell: Shell
    let icon: String
    /// The title in a fragment, which has no navigation bar that shows it.
    let title: String?
    let message: String
    let fields: [String]
    let requestID: String?
    let requestLabel: String
    let homeURL: String
    let homeLabel: String

    init(_ error: AppError, status: HTTPResponse.Status, _ context: AppContext) {
        let heading = error.code.title(context.t)
        title = context.face == .fragment ? heading : nil
        // A child has no other app and skips the start page, which is for adults.
        let menu = context.isChild ? context.web.menu(ofApp: "family", context) : context.appMenu
        // If an app's first page itself fails, the link leads to the start page.
        let isFirst = menu.map { context.path == "/\($0.id)" || context.path == $0.tabs.first?.url } ?? false
        if let menu, context.isChild || !isFirst {
            homeURL = "/\(menu.id)"
            homeLabel = menu.name
        } else {
            homeURL = context.isChild ? "/family" : "/"
            homeLabel = context.isChild ? context.t("Family") : context.t("Home")
        }
        shell = Shell(
            context, title: heading, menu: menu ?? .bare,
            isLargeTitle: false, back: ShellBack(url: homeURL, label: homeLabel)
        )
        icon = error.code == .notFound ? "map-pin-off" : "triangle-alert"
        // The title already says that nothing was found; the message says why.
        message =
            error.message == context.t("There is nothing here.")
            ? context.t("It was deleted, or this address is wrong.") : error.message
        fields = error.fields.values.filter { $0 != error.message }.sorted()
        // Only useful for a search in the log.
        requestID = status.code >= 500 ? context.requestID : nil
        requestLabel = context.t("Request")
    }
}
