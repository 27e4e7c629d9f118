import Kernel
import Tracking
import WebCore

/// Lost mode as JSON.
struct LostModeJSON: Encodable, Sendable {
    private enum Key: String, CodingKey { case isOn, message, contact, showsPhoto, since, version }

    private let mode: LostMode?

    init(_ mode: LostMode?) { self.mode = mode }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(mode != nil, forKey: .isOn)
        try object.encode(mode?.message, forKey: .message)
        try object.encode(mode?.contact?.text, forKey: .contact)
        try object.encode(mode?.showsPhoto ?? false, forKey: .showsPhoto)
        try object.encode(mode?.since, forKey: .since)
        try object.encode(mode?.version ?? 0, forKey: .version)
    }
}

/// A label as JSON.
struct ItemLabelJSON: Encodable, Sendable {
    private enum Key: String, CodingKey { case url }

    private let url: String?

    init(_ label: ItemLabel, site: Site) { url = label.secret.map { site.url + TrackingPath.foundItem($0) } }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(url, forKey: .url)
    }
}

/// A finder's message as JSON, for the owner.
struct FinderReportJSON: Encodable, Sendable {
    private enum Key: String, CodingKey {
        case id, message, latitude, longitude, accuracy, reply, repliedAt, version, createdAt
    }

    private let report: FinderReport

    init(_ report: FinderReport) { self.report = report }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(report.id, forKey: .id)
        try object.encode(report.message, forKey: .message)
        try object.encode(report.place?.latitude, forKey: .latitude)
        try object.encode(report.place?.longitude, forKey: .longitude)
        try object.encode(report.accuracyMetres, forKey: .accuracy)
        try object.encode(report.reply, forKey: .reply)
        try object.encode(report.repliedAt, forKey: .repliedAt)
        try object.encode(report.version, forKey: .version)
        try object.encode(report.createdAt, forKey: .createdAt)
    }
}

/// A found item as JSON, for its finder.
struct FoundItemJSON: Encodable, Sendable {
    private enum Key: String, CodingKey { case isReportedLost, message, contact, hasPhoto }

    private let lost: LostItem?

    init(_ lost: LostItem?) { self.lost = lost }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(lost != nil, forKey: .isReportedLost)
        guard let lost else { return }
        try object.encode(lost.message, forKey: .message)
        try object.encode(lost.contact?.text, forKey: .contact)
        try object.encode(lost.pictureID != nil, forKey: .hasPhoto)
    }
}

/// A finder's own message as JSON.
struct OwnReportJSON: Encodable, Sendable {
    private enum Key: String, CodingKey { case message, reply, repliedAt, createdAt }

    private let report: FinderReport

    init(_ report: FinderReport) { self.report = report }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(report.message, forKey: .message)
        try object.encode(report.reply, forKey: .reply)
        try object.encode(report.repliedAt, forKey: .repliedAt)
        try object.encode(report.createdAt, forKey: .createdAt)
    }
}

/// The address of a finder's own page as JSON.
struct FinderSecretJSON: Encodable, Sendable {
    let path: String
}
