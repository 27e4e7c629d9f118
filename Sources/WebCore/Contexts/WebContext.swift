package import Accounts
import Foundation
package import HTTPTypes
package import Hummingbird
package import Kernel
import Logging
import Storage

/// What every handler's context offers, signed in or not.
package protocol WebContext: RequestContext {
    /// The request as it came in.
    var app: AppContext { get }
}

extension WebContext {
    /// What all handlers share: clock, randomness, renderer.
    package var web: Web { app.web }
    /// Where this server is and how it looks from outside.
    package var site: Site { app.web.site }
    /// Who is signed in.
    package var identity: Identity? { app.identity }
    /// The path without its query, not decoded.
    package var path: String { app.uri.path }
    /// Names this request in the log and in an error's answer.
    package var requestID: String { logger[metadataKey: "hb.request.id"]?.description ?? "-" }
    /// The client's address as text; `X-Forwarded-For` counts only when a trusted proxy says it.
    package var clientAddress: String {
        site.trustedProxies.clientAddress(
            peer: app.channel.remoteAddress?.ipAddress, forwardedFor: header(.xForwardedFor))
    }
    /// For people: `Chrome on Android`.
    package var deviceName: String { DeviceName.describe(userAgent: header(.userAgent)) }
    /// The language of the answer: the account's setting, else what the browser prefers, else English.
    package var language: Language {
        if let chosen = identity?.account.language, let language = Language(rawValue: chosen) { return language }
        return Language.preferred(by: header(.acceptLanguage))
    }
    /// Which of a resource's faces is asked for.
    package var face: Face { app.face }

    /// A header's value.
    package func header(_ name: HTTPField.Name) -> String? { app.head.headerFields[name] }

    /// The value of a cookie.
    package func cookie(_ name: String) -> String? { Cookies.value(of: name, in: app.head.headerFields) }

    /// The query's pairs in their order, percent and plus decoded. None holds U+0000: `RequestHeadCheck` refused it.
    package func queryItems() -> [(name: String, value: String)] {
        guard let query = app.uri.query else { return [] }
        return URLEncodedForm.pairs(of: query, lenient: true) ?? []
    }

    /// The first value of a query item.
    package func query(_ name: String) -> String? {
        queryItems().first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// An id from the path.
    /// - Throws: `AppError.notFound` when the text is no id: such a thing can't exist.
    package func id<Entity>(_ parameter: String, of _: Entity.Type) throws -> ID<Entity> {
        guard let id = ID<Entity>(try text(parameter)) else { throw AppError.notFound }
        return id
    }

    /// A path parameter, percent-decoded.
    /// - Throws: `AppError.notFound` when it isn't valid UTF-8 or holds a NUL character.
    package func text(_ parameter: String) throws -> String {
        guard let raw = parameters.get(parameter), let text = raw.removingPercentEncoding, !text.utf8.contains(0)
        else { throw AppError.notFound }
        return text
    }

    /// The part of a list that is asked for by `limit` and `after`.
    /// - Throws: `AppError.invalid` for a limit outside 1…``Limits/pageSizeMaximum``.
    package func paging() throws -> Paging {
        try Paging(limit: query("limit"), after: query("after"), language: language)
    }

    /// The version that the client expects to change, from `If-Match`; `nil` when it doesn't say.
    /// - Throws: `AppError` (conflict) for an entity tag that none of ours can equal.
    package func ifMatch() throws -> Int64? {
        guard let header = header(.ifMatch), header != "*" else { return nil }
        guard header.hasPrefix("\""), header.hasSuffix("\""), let version = Int64(header.dropFirst().dropLast()) else {
            throw AppError(.conflict, WebStrings.of(language).movedOn)
        }
        return version
    }

    /// A key for a form's hidden field `idempotencyKey`: 128 random bits in hexadecimal.
    package func newIdempotencyKey() -> String {
        let digits = [web.random.uint64(), web.random.uint64()].map { number -> String in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return digits.joined()
    }

    /// The folder of this build's static files: `/static/VERSION`.
    package var assets: String { web.files.folder }
}

extension SignedInContext {
    /// Who changes something, with the client's key for this one change: the `Idempotency-Key` header, else the form's
    /// hidden field; and with the version that it is meant for, from `If-Match`, else the form's hidden field `version`.
    /// - Parameter fields: the body, after all of it that matters was read.
    /// - Throws: `AppError`: invalid for a key that is empty or longer than ``Limits/idempotencyKeyBytes``; conflict for
    ///   an entity tag that none of ours can equal.
    package func change(_ fields: Fields? = nil) throws -> Change {
        let version = try ifMatch() ?? fields?.formVersion
        guard let key = header(.idempotencyKey) ?? fields?.idempotencyKey else {
            return Change(actor: actor, ifVersion: version)
        }
        guard !key.isEmpty, key.utf8.count <= Limits.idempotencyKeyBytes, !key.utf8.contains(0) else {
            throw AppError.invalid("idempotencyKey", WebStrings.of(language).badIdempotencyKey)
        }
        let scope = IdempotencyScope(
            person: actor.person, method: app.head.method.rawValue, path: path, key: key,
            bodyDigest: (fields ?? Fields.none).digest
        )
        return Change(actor: actor, idempotency: scope, ifVersion: version)
    }
}

extension HTTPField.Name {
    // There is no initializer that can't fail; a literal token doesn't, so the other side is never taken.
    private static func known(_ name: StaticString) -> Self { Self("\(name)") ?? .trailer }

    /// `X-Forwarded-For`.
    package static let xForwardedFor = known("X-Forwarded-For")
    /// `Idempotency-Key`.
    package static let idempotencyKey = known("Idempotency-Key")
    /// `HX-Request`: htmx asks for a fragment.
    package static let hxRequest = known("HX-Request")
    /// `HX-Boosted`: htmx follows a plain link, and wants the page.
    package static let hxBoosted = known("HX-Boosted")
    /// `HX-History-Restore-Request`: htmx rebuilds a page for the back button.
    package static let hxHistoryRestore = known("HX-History-Restore-Request")
    /// `HX-Redirect`: htmx is told to load another page.
    package static let hxRedirect = known("HX-Redirect")
    /// `HX-Trigger`: htmx is told to fire an event.
    package static let hxTrigger = known("HX-Trigger")
    /// `Sec-Fetch-Site`: where a browser's request comes from.
    package static let secFetchSite = known("Sec-Fetch-Site")
    /// `Sec-Fetch-Mode`: whether a browser's request is to fill a window.
    package static let secFetchMode = known("Sec-Fetch-Mode")
    /// `HX-Current-URL`: the page that htmx asks for a part of.
    package static let hxCurrentURL = known("HX-Current-URL")
    /// `Permissions-Policy`.
    package static let permissionsPolicy = known("Permissions-Policy")
    /// `Cross-Origin-Resource-Policy`.
    package static let crossOriginResourcePolicy = known("Cross-Origin-Resource-Policy")
    /// `Cross-Origin-Opener-Policy`.
    package static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
    /// `Clear-Site-Data`: what a browser is told to forget.
    package static let clearSiteData = known("Clear-Site-Data")
    /// `Referrer-Policy`.
    package static let referrerPolicy = known("Referrer-Policy")
    /// `Last-Event-ID`: where a live stream broke off.
    package static let lastEventID = known("Last-Event-ID")
    /// `X-Request-Id`.
    package static let xRequestID = known("X-Request-Id")
    /// `X-Accel-Buffering`: tells a reverse proxy to pass a stream on at once.
    package static let xAccelBuffering = known("X-Accel-Buffering")
}
