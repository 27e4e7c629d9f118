package import Accounts
import Foundation
package import HTTPTypes
package import Hummingbird
package import Kernel
import Logging
import Storage
import Translations

/// The interface of every handler's context, signed in or not.
package protocol WebContext: RequestContext {
    var app: AppContext { get }
}

extension WebContext {
    /// The objects that all handlers share: clock, randomness, renderer.
    package var web: Web { app.web }
    package var site: Site { app.web.site }
    /// The signed-in person.
    package var identity: Identity? { app.identity }
    /// Whether the page offers to create an account.
    /// - Parameter destination: the path that follows the sign-up.
    package func offersRegistration(destination: String = "") -> Bool {
        app.registration.offersRegistration(destination: destination)
    }
    /// The path without its query, percent-encoded.
    package var path: String { app.uri.path }
    /// The id of this request in the log and in error responses.
    package var requestID: String { logger[metadataKey: "hb.request.id"]?.description ?? "-" }
    /// The client's address. `X-Forwarded-For` and `Forwarded` count only from a trusted proxy.
    package var clientAddress: String { client.address }
    /// How ``clientAddress`` is known.
    var clientAddressSource: ClientAddressSource { client.source }
    private var client: TrustedProxies.Client {
        site.trustedProxies.client(
            peer: app.channel.remoteAddress?.ipAddress,
            ForwardedHeaders(xForwardedFor: header(.xForwardedFor), forwarded: header(.forwarded)))
    }
    /// The device's display name: `Chrome on Android`.
    package var deviceName: String { DeviceName.describe(userAgent: header(.userAgent)) }
    /// The language of the response: the account's setting, else the browser's preference, else English.
    package var language: Language {
        if let chosen = identity?.account.language, let language = Language(rawValue: chosen) { return language }
        return Language.preferred(by: header(.acceptLanguage))
    }
    /// Translates texts into the language of the response.
    package var t: Translator { translator(to: language) }
    /// Returns the translator into another language than that of the response.
    package func translator(to language: Language) -> Translator { Translations.translator(language) }
    /// The requested format.
    package var face: ResponseFormat { app.face }

    /// The value of a header.
    package func header(_ name: HTTPField.Name) -> String? { app.head.headerFields[name] }

    /// The value of a cookie.
    package func cookie(_ name: String) -> String? { Cookies.value(of: name, in: app.head.headerFields) }

    /// The query's pairs in their order, with percent and plus decoded. None contains U+0000: `RequestHeadCheck`
    /// rejected it.
    package func queryItems() -> [(name: String, value: String)] {
        guard let query = app.uri.query else { return [] }
        return URLEncodedForm.pairs(of: query, lenient: true) ?? []
    }

    /// The first value of a query parameter.
    package func query(_ name: String) -> String? {
        queryItems().first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// An id in the path.
    /// - Throws: `AppError.notFound` when the text isn't an id.
    package func id<Entity>(_ parameter: String, of _: Entity.Type) throws -> ID<Entity> {
        guard let id = ID<Entity>(try text(parameter)) else { throw AppError.notFound }
        return id
    }

    /// A path parameter, percent-decoded.
    /// - Throws: `AppError.notFound` when it isn't valid UTF-8 or contains U+0000.
    package func text(_ parameter: String) throws -> String {
        guard let raw = parameters.get(parameter), let text = raw.removingPercentEncoding, !text.utf8.contains(0)
        else { throw AppError.notFound }
        return text
    }

    /// The page of a list that `limit` and `after` request.
    /// - Throws: `AppError.invalid` for a limit outside 1…``Limits/pageSizeMaximum``.
    package func paging() throws -> Paging {
        try Paging(limit: query("limit"), after: query("after"), language: language)
    }

    /// The version that the client expects to change, from `If-Match`; `nil` without the header.
    /// - Throws: `AppError` (conflict) for an entity tag that can't be one of this server's.
    package func ifMatch() throws -> Int64? {
        guard let header = header(.ifMatch), header != "*" else { return nil }
        guard header.hasPrefix("\""), header.hasSuffix("\""), let version = Int64(header.dropFirst().dropLast()) else {
            throw AppError(.conflict, t("This was changed elsewhere. Review it and try again."))
        }
        return version
    }

    /// Returns a key for a form's hidden field `idempotencyKey`: 128 random bits in hexadecimal.
    package func newIdempotencyKey() -> String { Hexadecimal.encoded(web.random.bytes(16)) }

    /// The folder of this build's static files: `/static/VERSION`.
    package var assets: String { web.files.folder }
}

extension SignedInContext {
    /// The actor of a change, with its idempotency key (the `Idempotency-Key` header, else the form's hidden field),
    /// the expected version (`If-Match`, else the form's hidden field `version`), and what the route charges for it.
    /// - Parameter fields: the body, after all relevant fields were read.
    /// - Throws: `AppError`: invalid for a key that is empty or longer than ``Limits/idempotencyKeyBytes``; conflict
    ///   for an entity tag that can't be one of this server's.
    package func change(_ fields: Fields? = nil) throws -> Change {
        let version = try ifMatch() ?? fields?.formVersion
        let key = header(.idempotencyKey) ?? fields?.idempotencyKey
        let charge = charge
        guard key != nil || charge != nil else { return Change(actor: actor, ifVersion: version) }
        if let key { try checkIdempotencyKey(key) }
        let scope = IdempotencyScope(
            person: actor.person, method: app.head.method.rawValue, path: path, key: key,
            bodyDigest: web.digestKey.digest(of: fields ?? .none),
            earlierBodyDigest: (fields ?? .none).plainDigest, charge: charge)
        return Change(actor: actor, idempotency: scope, ifVersion: version)
    }

    private var charge: IdempotencyScope.Charge? {
        guard let budget else { return nil }
        let (person, factor) = (actor.person, web.limitFactor)
        return { now, tx in try budget.charge(person, factor: factor, now: now, in: tx) }
    }

    private func checkIdempotencyKey(_ key: String) throws {
        guard !key.isEmpty, key.utf8.count <= Limits.idempotencyKeyBytes, !key.utf8.contains(0) else {
            throw AppError.invalid(
                "idempotencyKey",
                t("A key has {least} to {most} bytes.", ["least": "1", "most": String(Limits.idempotencyKeyBytes)]))
        }
    }

    /// The actor of a change that must not happen twice, such as a payment: its idempotency key is required.
    /// - Throws: as ``change(_:)``, and invalid without a key.
    package func changeOnce(_ fields: Fields) throws -> Change {
        let change = try change(fields)
        guard change.idempotency?.key != nil else {
            throw AppError.invalid(
                "idempotencyKey", t("Send an idempotency key, so that a repeated request has no further effect."))
        }
        return change
    }
}

extension HTTPField.Name {
    // `HTTPField.Name` has only a failable initializer. It doesn't fail for a literal token, so the fallback is never
    // used.
    private static func known(_ name: StaticString) -> Self { Self("\(name)") ?? .trailer }

    package static let robots = known("X-Robots-Tag")
    package static let xForwardedFor = known("X-Forwarded-For")
    /// `Forwarded` (RFC 7239).
    package static let forwarded = known("Forwarded")
    package static let idempotencyKey = known("Idempotency-Key")
    /// `HX-Request`: htmx requests a fragment.
    package static let hxRequest = known("HX-Request")
    /// `HX-Boosted`: htmx follows a plain link and requests the page.
    package static let hxBoosted = known("HX-Boosted")
    /// `HX-History-Restore-Request`: htmx restores a page for the back button.
    package static let hxHistoryRestore = known("HX-History-Restore-Request")
    /// `HX-Redirect`: makes htmx load another page.
    package static let hxRedirect = known("HX-Redirect")
    /// `HX-Trigger`: makes htmx fire an event.
    package static let hxTrigger = known("HX-Trigger")
    /// `Sec-Fetch-Site`: the relation of the site that caused a browser's request to this one.
    package static let secFetchSite = known("Sec-Fetch-Site")
    /// `Sec-Fetch-Mode`: whether a browser's request is a navigation.
    package static let secFetchMode = known("Sec-Fetch-Mode")
    /// `Sec-Purpose`: a browser loads a page in advance.
    package static let secPurpose = known("Sec-Purpose")
    /// `HX-Current-URL`: the page that htmx requests a part of.
    package static let hxCurrentURL = known("HX-Current-URL")
    package static let permissionsPolicy = known("Permissions-Policy")
    package static let crossOriginResourcePolicy = known("Cross-Origin-Resource-Policy")
    package static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
    /// `Clear-Site-Data`: what the browser must delete.
    package static let clearSiteData = known("Clear-Site-Data")
    package static let referrerPolicy = known("Referrer-Policy")
    /// `Last-Event-ID`: the last event that a live stream received.
    package static let lastEventID = known("Last-Event-ID")
    package static let xRequestID = known("X-Request-Id")
    /// `X-Accel-Buffering`: makes a reverse proxy forward a stream without buffering.
    package static let xAccelBuffering = known("X-Accel-Buffering")
}
