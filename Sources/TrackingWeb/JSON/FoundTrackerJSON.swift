import Kernel
import Tracking

/// A found tracker as JSON.
struct FoundTrackerJSON: Encodable, Sendable {
    private enum Key: String, CodingKey { case product, identifier, contact }

    private let found: FoundTracker

    init(_ found: FoundTracker) { self.found = found }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode("Homeward tracker", forKey: .product)
        try object.encode(found.id, forKey: .identifier)
        try object.encode(found.contact?.description, forKey: .contact)
    }
}
