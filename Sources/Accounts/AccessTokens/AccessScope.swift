/// A right of an access token: to read the data of one app, or also to change it.
package enum AccessScope: String, Sendable, CaseIterable, Comparable {
    /// The profile, the list of photos, and notifications.
    case accountRead = "account:read"
    case trackingRead = "tracking:read"
    case trackingWrite = "tracking:write"
    case familyRead = "family:read"
    case familyWrite = "family:write"
    case carrepsaRead = "carrepsa:read"
    case carrepsaWrite = "carrepsa:write"

    /// The scopes that include this one. A token that may change data may read it too.
    private var including: [AccessScope] {
        switch self {
        case .trackingRead: [.trackingRead, .trackingWrite]
        case .familyRead: [.familyRead, .familyWrite]
        case .carrepsaRead: [.carrepsaRead, .carrepsaWrite]
        case .accountRead, .trackingWrite, .familyWrite, .carrepsaWrite: [self]
        }
    }

    /// Whether a token with `granted` has this right.
    package func isIncluded(in granted: Set<AccessScope>) -> Bool { including.contains(where: granted.contains) }

    /// Orders scopes by their names.
    package static func < (one: AccessScope, other: AccessScope) -> Bool { one.rawValue < other.rawValue }
}

extension Set<AccessScope> {
    /// The scopes as they are stored and as OAuth 2.0 writes them (RFC 6749, 3.3): sorted, with a space between two.
    package var text: String { sorted().map(\.rawValue).joined(separator: " ") }

    /// Reads stored scopes. Scopes that only a newer version knows are left out.
    init(stored text: String) {
        self = Set(text.split(separator: " ").compactMap { AccessScope(rawValue: String($0)) })
    }
}
