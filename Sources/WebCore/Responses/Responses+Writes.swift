import HTTPTypes
package import Hummingbird
package import Kernel

extension Responses {
    /// The response after a creation: JSON 201 with `Location`; a redirect to `seeOther` for a browser.
    /// - Throws: errors of `json`.
    package static func created(
        _ context: some WebContext, location: String, version: Int64? = nil, json: () throws -> some Encodable,
        seeOther: String, toast: ShellToast? = nil
    ) throws -> Response {
        guard context.face == .json else { return Self.seeOther(context, to: seeOther, toast: toast) }
        return made(try Self.json(context, json(), status: .created, version: version), at: location)
    }

    /// The same for a value that writes its own JSON.
    package static func created(
        _ context: some WebContext, location: String, version: Int64? = nil, json: () -> some JSONWritable,
        seeOther: String, toast: @autoclosure () -> ShellToast? = nil
    ) -> Response {
        guard context.face == .json else { return Self.seeOther(context, to: seeOther, toast: toast()) }
        return made(Self.json(context, json(), status: .created, version: version), at: location)
    }

    private static func made(_ response: Response, at location: String) -> Response {
        var response = response
        response.headers.append(HTTPField(name: .location, value: location))
        return response
    }

    /// The response after a change: JSON 200; a redirect to `seeOther` for a browser.
    /// - Throws: errors of `json`.
    package static func changed(
        _ context: some WebContext, version: Int64? = nil, json: () throws -> some Encodable, seeOther: String,
        toast: ShellToast? = nil
    ) throws -> Response {
        guard context.face == .json else { return Self.seeOther(context, to: seeOther, toast: toast) }
        return try Self.json(context, json(), version: version)
    }

    /// The same for a value that writes its own JSON.
    package static func changed(
        _ context: some WebContext, version: Int64? = nil, json: () -> some JSONWritable, seeOther: String,
        toast: @autoclosure () -> ShellToast? = nil
    ) -> Response {
        guard context.face == .json else { return Self.seeOther(context, to: seeOther, toast: toast()) }
        return Self.json(context, json(), version: version)
    }

    /// The response to a change that happens later: JSON 202; a redirect to `seeOther` for a browser.
    /// - Throws: errors of `json`.
    package static func accepted(
        _ context: some WebContext, version: Int64? = nil, json: () throws -> some Encodable, seeOther: String,
        toast: ShellToast? = nil
    ) throws -> Response {
        guard context.face == .json else { return Self.seeOther(context, to: seeOther, toast: toast) }
        return try Self.json(context, json(), status: .accepted, version: version)
    }

    /// The response after a deletion: JSON 204; a redirect to `seeOther` for a browser.
    package static func removed(_ context: some WebContext, seeOther: String, toast: ShellToast? = nil) -> Response {
        context.face == .json ? noContent(context) : Self.seeOther(context, to: seeOther, toast: toast)
    }

    /// The response for a live part of a page that the reader may no longer see: 404, at which the page goes to its
    /// `data-live-gone`.
    /// - Parameter toast: shown there.
    package static func gone(_ context: some WebContext, toast: ShellToast) -> Response {
        var response = seeOther(context, to: context.path, toast: toast)
        response.status = .notFound
        response.headers[.hxRedirect] = nil
        response.headers[.location] = nil
        return response
    }

    /// Runs `perform`. An error that the person can correct shows a browser the form again, with the error's status and
    /// the entered values; a program gets the error.
    /// - Parameter page: makes the form's page, with the entered values.
    /// - Throws: errors of `perform` that aren't shown in the form.
    package static func form<Page>(
        _ context: some WebContext, template: String, fragment: String? = nil,
        page: (AppError) async throws -> Page, perform: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await perform()
        } catch let error as AppError {
            guard context.face != .json, isForPeople(error.code) else { throw error }
            let status = ErrorMapping.status(of: error)
            var response = try Self.page(
                context, template: template, fragment: fragment, status: status, await page(error))
            if let seconds = error.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
            ErrorMapping.count(error, context.web)
            return response
        }
    }

    /// An error as JSON, for a handler that adds headers to it.
    /// - Throws: `EncodingError`.
    package static func refusal(_ error: AppError, _ context: AppContext) throws -> Response {
        try ErrorMapping.response(to: error, context, asJSON: true)
    }

    private static func isForPeople(_ code: AppError.Code) -> Bool {
        switch code {
        case .invalid, .conflict, .unauthenticated, .forbidden, .throttled, .tooLarge, .malformed: true
        case .insufficientFunds, .rewardNotFunded: true
        case .notFound, .locked, .internal, .unavailable: false
        }
    }
}

extension Response {
    /// Signs a browser in.
    package mutating func startSession(_ token: String, _ context: some WebContext) {
        headers.set(.session, to: token, on: context.site)
        recordUnlock(context)
    }

    /// Signs a browser out and makes it delete its cached photos. (Browsers do that only on secure origins.)
    package mutating func endSession(_ context: some WebContext) {
        headers.clear(.session, on: context.site)
        headers[.clearSiteData] = "\"cache\""
    }

    /// Makes htmx show a toast.
    package mutating func toast(_ toast: ShellToast) {
        headers[.hxTrigger] = toast.trigger
    }
}
