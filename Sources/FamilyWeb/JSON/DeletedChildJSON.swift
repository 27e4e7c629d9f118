import Family
import Kernel
import WebCore

/// A deleted child in the JSON API.
struct DeletedChildJSON: Encodable {
    private enum Key: String, CodingKey {
        case deletedAt, restorableUntil
    }

    private let child: DeletedChild

    init(_ child: DeletedChild) { self.child = child }

    func encode(to encoder: any Encoder) throws {
        try MemberJSON(child.member).encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(child.deletedAt, forKey: .deletedAt)
        try object.encode(child.restorableUntil, forKey: .restorableUntil)
    }
}
