package import Accounts
package import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import Logging
package import NIOCore

/// The account and session of a signed-in request. A class, because contexts are copied on their way to the handler.
package final class Identity: Sendable {
    package let session: Session
    package let account: Account

    /// Created by session authorities and tests only.
    package init(session: Session, account: Account) {
        self.session = session
        self.account = account
    }
}

/// The parts of a request that don't change on the way to its handler.
final class RequestStorage: Sendable {
    let web: Web
    let head: HTTPRequest
    let uri: URI
    let channel: any Channel
    let face: ResponseFormat

    init(web: Web, head: HTTPRequest, uri: URI, channel: any Channel) {
        self.web = web
        self.head = head
        self.uri = uri
        self.channel = channel
        face = ResponseFormat(of: head)
    }
}

/// The source of a request's context.
package struct AppContextSource: RequestContextSource {
    /// The request's logger, with its request id.
    package let logger: Logger
    let facts: RequestStorage
}

/// The context of a request, signed in or not.
package struct AppContext: WebContext {
    /// Created by the outermost responder only.
    package typealias Source = AppContextSource

    /// Hummingbird's part: logger, path parameters, route.
    package var coreContext: CoreRequestContextStorage
    /// The signed-in person; always `nil` on device routes.
    package var identity: Identity?
    /// Who can create an account, for the pages of people who aren't signed in.
    package var registration = RegistrationState.mode(.closed)
    private let facts: RequestStorage

    package init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        facts = source.facts
    }

    /// The objects that all handlers share.
    package var web: Web { facts.web }
    /// Method, path and headers, after the method override.
    package var head: HTTPRequest { facts.head }
    /// The parsed request target.
    package var uri: URI { facts.uri }
    package var channel: any Channel { facts.channel }
    package var face: ResponseFormat { facts.face }

    package var app: AppContext { self }
}

extension AppContext {
    /// Ends the session whose cookie the response replaces: it would stay open, unused.
    package func endReplacedSession(_ sessions: SessionService) async throws {
        guard let before = identity, before.session.kind == .cookie else { return }
        try await sessions.signOut(
            Actor(person: before.account.id, session: before.session.id, role: before.account.role))
    }
}

/// The context of a handler that requires a signed-in person.
package struct SignedInContext: ChildRequestContext, WebContext {
    /// Hummingbird's part: logger, path parameters, route.
    package var coreContext: CoreRequestContextStorage
    package let app: AppContext
    private var person: Identity

    /// - Throws: ``NotSignedIn``, which redirects a browser to the sign-in page and gives a program 401.
    package init(context: AppContext) throws {
        guard let identity = context.identity else { throw NotSignedIn() }
        coreContext = context.coreContext
        app = context
        person = identity
    }

    /// Returns the context of a request in which a person acts on a shared device.
    package func acting(as account: Account) -> SignedInContext {
        var context = self
        context.person = Identity(session: session, account: account)
        return context
    }

    package var account: Account { person.account }
    package var session: Session { person.session }
    /// The actor that use cases take.
    package var actor: Actor {
        Actor(
            person: person.account.id, session: person.session.id, role: person.account.role,
            clientAddress: clientAddress, hasAccessToken: person.session.scopes != nil)
    }
}

/// Authentication required: thrown when a request without a session reaches a route that needs one.
package struct NotSignedIn: Error {
    package init() {}
}
