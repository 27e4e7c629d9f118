import Kernel
import Tracking
import WebCore

/// A live link as JSON, for its owner.
struct LiveLinkJSON: Encodable, Sendable {
    private enum Key: String, CodingKey {
        case id, itemId, state, showsName, untilMet, viewers, createdAt, expiresAt, url
    }

    private let entry: LiveLinkEntry
    /// The public address; `nil` in lists.
    private let url: String?

    init(_ entry: LiveLinkEntry, url: String?) {
        self.entry = entry
        self.url = url
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(entry.link.id, forKey: .id)
        try object.encode(entry.link.item, forKey: .itemId)
        try object.encode(entry.state.rawValue, forKey: .state)
        try object.encode(entry.link.showsName, forKey: .showsName)
        try object.encode(entry.link.untilMet, forKey: .untilMet)
        try object.encode(entry.viewerCount, forKey: .viewers)
        try object.encode(entry.link.createdAt, forKey: .createdAt)
        try object.encode(entry.link.expiresAt, forKey: .expiresAt)
        if let url { try object.encode(url, forKey: .url) }
    }
}

/// A live link as JSON, for its recipient.
struct LiveLinkViewJSON: Encodable, Sendable {
    private enum Key: String, CodingKey { case name, untilMet, expiresAt, position }
    private enum PositionKey: String, CodingKey { case at, latitude, longitude, accuracy }

    private let view: LiveLinkView

    init(_ view: LiveLinkView) { self.view = view }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(view.name, forKey: .name)
        try object.encode(view.link.untilMet, forKey: .untilMet)
        try object.encode(view.link.expiresAt, forKey: .expiresAt)
        guard let position = view.position else { return try object.encodeNil(forKey: .position) }
        var inner = object.nestedContainer(keyedBy: PositionKey.self, forKey: .position)
        try inner.encode(position.at, forKey: .at)
        try inner.encode(position.coordinate.latitude, forKey: .latitude)
        try inner.encode(position.coordinate.longitude, forKey: .longitude)
        try inner.encode(position.accuracyMetres, forKey: .accuracy)
    }
}

/// Whether recipient and shared position have met.
struct MeetingJSON: Encodable, Sendable {
    let hasMet: Bool
}
