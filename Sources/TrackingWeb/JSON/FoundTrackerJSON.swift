import Kernel
import Tracking

/// A found tracker as JSON.
struct FoundTrackerJSON: Encodable, Sendable {
    private enum Key: String, CodingKey { case product, identifier, contact, lostItem }

    private let found: FoundTracker
    private let lost: LostItem?

    init(_ found: FoundTracker, lost: LostItem?) {
        self.found = found
        self.lost = lost
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode("Homeward tracker", forKey: .product)
        try object.encode(found.id, forKey: .identifier)
        try object.encode(found.contact?.description, forKey: .contact)
        if let lost { try object.encode(FoundItemJSON(lost), forKey: .lostItem) }
    }
}
