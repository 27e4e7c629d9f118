import HTTPTypes
package import Hummingbird
package import Kernel

extension Answer {
    /// Something was made: JSON 201 with its place; a browser goes on to `seeOther`.
    /// - Throws: what making the JSON throws.
    package static func created(
        _ context: some WebContext, location: String, version: Int64? = nil, json: () throws -> some Encodable,
        seeOther: String, toast: ShellToast? = nil
    ) throws -> Response {
        guard context.face == .json else { return Self.seeOther(context, to: seeOther, toast: toast) }
        return made(try Self.json(context, json(), status: .created, version: version), at: location)
    }

    /// The same with JSON that writes itself.
    package static func created(
        _ context: some WebContext, location: String, version: Int64? = nil, json: () -> some WritesJSON,
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

    /// Something was changed: JSON 200; a browser goes on to `seeOther`.
    /// - Throws: what making the JSON throws.
    package static func changed(
        _ context: some WebContext, version: Int64? = nil, json: () throws -> some Encodable, seeOther: String,
        toast: ShellToast? = nil
    ) throws -> Response {
        guard context.face == .json else { return Self.seeOther(context, to: seeOther, toast: toast) }
        return try Self.json(context, json(), version: version)
    }

    /// The same with JSON that writes itself.
    package static func changed(
        _ context: some WebContext, version: Int64? = nil, json: () -> some WritesJSON, seeOther: String,
        toast: @autoclosure () -> ShellToast? = nil
    ) -> Response {
        guard context.face == .json else { return Self.seeOther(context, to: seeOther, toast: toast()) }
        return Self.json(context, json(), version: version)
    }

    /// Something is going to be done: JSON 202; a browser goes on to `seeOther`.
    /// - Throws: what making the JSON throws.
    package static func accepted(
        _ context: some WebContext, version: Int64? = nil, json: () throws -> some Encodable, seeOther: String,
        toast: ShellToast? = nil
    ) throws -> Response {
        guard context.face == .json else { return Self.seeOther(context, to: seeOther, toast: toast) }
        return try Self.json(context, json(), status: .accepted, version: version)
    }

    /// Something is gone: JSON 204; a browser goes on to `seeOther`.
    package static func removed(_ context: some WebContext, seeOther: String, toast: ShellToast? = nil) -> Response {
        context.face == .json ? noContent(context) : Self.seeOther(context, to: seeOther, toast: toast)
    }

    /// A live part of a page is out of the reader's sight by now: 404, at which the page leaves for its `data-live-gone`.
    /// - Parameter toast: said there.
    package static func gone(_ context: some WebContext, toast: ShellToast) -> Response {
        var response = seeOther(context, to: context.path, toast: toast)
        response.status = .notFound
        response.headers[.hxRedirect] = nil
        response.headers[.location] = nil
        return response
    }

    /// Runs `perform`. What the person can put right comes back to a browser as the form again, with the error's status
    /// and what was typed; to a program as the error itself.
    /// - Parameter page: makes the form's page; reads what was typed from where the handler kept it.
    /// - Throws: what `perform` throws, unless it became a page.
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

    /// An error as programs get it, for a handler that has more to say in the headers.
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
        headers[values: .setCookie].append(context.site.sessionCookie.issuing(token))
        noteOpening(context)
    }

    /// Signs a browser out, and has it forget the photos that it kept. (Browsers do that on secure origins only.)
    package mutating func endSession(_ context: some WebContext) {
        headers[values: .setCookie].append(context.site.sessionCookie.clearing)
        headers[.clearSiteData] = "\"cache\""
    }

    /// Tells htmx to show a toast.
    package mutating func toast(_ toast: ShellToast) {
        headers[.hxTrigger] = toast.trigger
    }
}
