import Family
import Kernel
import WebCore

/// A parent with their role in the JSON API.
struct ParentJSON: Encodable {
    private enum Key: String, CodingKey {
        case isMaker, removal
    }

    private let parent: Parent

    init(_ parent: Parent) { self.parent = parent }

    func encode(to encoder: any Encoder) throws {
        try MemberJSON(parent.member).encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(parent.isMaker, forKey: .isMaker)
        try object.encode(parent.removal.map(RemovalJSON.init), forKey: .removal)
    }
}

/// The announced removal of a parent in the JSON API.
struct RemovalJSON: Encodable {
    let by: String
    let announcedAt: Instant
    let effectiveAt: Instant
    @Nullable var refusedAt: Instant?

    init(_ removal: Removal) {
        by = removal.by
        announcedAt = removal.announcedAt
        effectiveAt = removal.effectiveAt
        refusedAt = removal.refusedAt
    }
}
