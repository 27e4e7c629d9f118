package import Accounts
package import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import Logging
package import NIOCore

/// Who is signed in, from which device.
package struct Identity: Sendable {
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

/// What one request's context is made from.
package struct AppContextSource: RequestContextSource {
    /// The request's logger; carries its id.
    package let logger: Logger
    let web: Web
    let head: HTTPRequest
    let uri: URI
    let channel: any Channel
}

/// What a handler knows of the request it answers, whoever sent it.
package struct AppContext: WebContext {
    /// Made by the outermost responder, which alone has what it takes.
    package typealias Source = AppContextSource

    /// Hummingbird's part: logger, path parameters, route.
    package var coreContext: CoreRequestContextStorage
    /// What all handlers share.
    package let web: Web
    /// Method, path and headers, after the method override.
    package let head: HTTPRequest
    /// The parsed target.
    package let uri: URI
    /// The connection.
    package let channel: any Channel
    /// Who is signed in; always `nil` on device routes.
    package var identity: Identity?

    /// Makes the context of a request.
    package init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        web = source.web
        head = source.head
        uri = source.uri
        channel = source.channel
    }

    /// Itself.
    package var app: AppContext { self }
}

/// What a handler knows that only answers people who are signed in.
package struct SignedInContext: ChildRequestContext, WebContext {
    /// Hummingbird's part: logger, path parameters, route.
    package var coreContext: CoreRequestContextStorage
    /// The request.
    package let app: AppContext
    /// The person's account.
    package let account: Account
    /// The device's session.
    package let session: Session

    /// Makes the context of a person's request.
    /// - Throws: ``NotSignedIn``, which a browser sees as the way to the sign-in page and a client as 401.
    package init(context: AppContext) throws {
        guard let identity = context.identity else { throw NotSignedIn() }
        coreContext = context.coreContext
        app = context
        account = identity.account
        session = identity.session
    }

    /// What use cases take.
    package var actor: Actor { Actor(person: account.id, session: session.id, role: account.role) }
}

/// Nobody is signed in where somebody must be.
package struct NotSignedIn: Error {
    /// Makes the error.
    package init() {}
}
