package import Kernel

/// A picture in a person's library.
package struct Picture: Equatable, Sendable {
    /// The id; its content never changes.
    package let id: ID<Picture>
    package let owner: PersonID
    /// The width of the upright original in pixels.
    package let width: Int
    /// The height of the upright original in pixels.
    package let height: Int
    package let createdAt: Instant

    package init(id: ID<Picture>, owner: PersonID, width: Int, height: Int, createdAt: Instant) {
        self.id = id
        self.owner = owner
        self.width = width
        self.height = height
        self.createdAt = createdAt
    }
}

/// The sizes in which a picture is stored. None is larger than the original.
package enum PictureSize: String, CaseIterable, Sendable {
    /// For lists and markers.
    case small
    /// For cards and forms.
    case medium
    /// For the full screen.
    case large

    /// The maximum length of the longest side in pixels.
    package var longestSide: Int {
        switch self {
        case .small: 160
        case .medium: 640
        case .large: 1600
        }
    }

    /// The media type of all sizes. Transparent pictures get a white background, so that one format serves all
    /// browsers.
    package static let mediaType = "image/jpeg"
}
