import Accounts
import Family
import Kernel
import WebCore

/// A child's device in the JSON API, with the fields of `/account/sessions`.
struct DeviceJSON: Encodable {
    let id: ID<Session>
    let name: String
    let createdAt: Instant
    let lastUsedAt: Instant
    let current: Bool

    init(_ session: Session, current: ID<Session>) {
        id = session.id
        name = session.name
        createdAt = session.createdAt
        lastUsedAt = session.lastUsedAt
        self.current = session.id == current
    }
}
