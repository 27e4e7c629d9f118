package import Accounts
package import Kernel

/// The session resource: a device on which an account or a child is signed in.
package struct SessionJSON: Encodable, Sendable {
    let id: ID<Session>
    let name: String
    let createdAt: Instant
    let lastUsedAt: Instant
    let current: Bool

    package init(_ session: Session, current: ID<Session>) {
        id = session.id
        name = session.name
        createdAt = session.createdAt
        lastUsedAt = session.lastUsedAt
        self.current = session.id == current
    }
}
