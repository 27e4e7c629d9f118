package import Accounts
package import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import Logging
package import NIOCore

/// Who is signed in, from which device. A class, because contexts are copied on their way to the handler.
package final class Identity: Sendable {
    /// The device's session.
    package let session: Session
    /// The person's account.
    package let account: Account

    /// Makes an identity; only the session's check and tests have a reason to.
    package init(session: Session, account: Account) {
        self.session = session
        self.account = account
    }
}

/// What is the same for a request all the way to its handler.
final class RequestFacts: Sendable {
    let web: Web
    let head: HTTPRequest
    let uri: URI
    let channel: any Channel
    let face: Face

    init(web: Web, head: HTTPRequest, uri: URI, channel: any Channel) {
        self.web = web
        self.head = head
        self.uri = uri
        self.channel = channel
        face = Face(of: head)
    }
}

/// What one request's context is made from.
package struct AppContextSource: RequestContextSource {
    /// The request's logger; carries its id.
    package let logger: Logger
    let facts: RequestFacts
}

/// What a handler knows of the request it answers, whoever sent it.
package struct AppContext: WebContext {
    /// Made by the outermost responder, which alone has what it takes.
    package typealias Source = AppContextSource

    /// Hummingbird's part: logger, path parameters, route.
    package var coreContext: CoreRequestContextStorage
    /// Who is signed in; always `nil` on device routes.
    package var identity: Identity?
    private let facts: RequestFacts

    /// Makes the context of a request.
    package init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        facts = source.facts
    }

    /// What all handlers share.
    package var web: Web { facts.web }
    /// Method, path and headers, after the method override.
    package var head: HTTPRequest { facts.head }
    /// The parsed target.
    package var uri: URI { facts.uri }
    /// The connection.
    package var channel: any Channel { facts.channel }
    /// Which of a resource's faces is asked for.
    package var face: Face { facts.face }

    /// Itself.
    package var app: AppContext { self }
}

/// What a handler knows that only answers people who are signed in.
package struct SignedInContext: ChildRequestContext, WebContext {
    /// Hummingbird's part: logger, path parameters, route.
    package var coreContext: CoreRequestContextStorage
    /// The request.
    package let app: AppContext
    private let person: Identity

    /// Makes the context of a person's request.
    /// - Throws: ``NotSignedIn``, which a browser sees as the way to the sign-in page and a client as 401.
    package init(context: AppContext) throws {
        guard let identity = context.identity else { throw NotSignedIn() }
        coreContext = context.coreContext
        app = context
        person = identity
    }

    /// The person's account.
    package var account: Account { person.account }
    /// The device's session.
    package var session: Session { person.session }
    /// What use cases take.
    package var actor: Actor {
        Actor(
            person: person.account.id, session: person.session.id, role: person.account.role,
            clientAddress: clientAddress)
    }
}

/// Nobody is signed in where somebody must be.
package struct NotSignedIn: Error {
    /// Makes the error.
    package init() {}
}
