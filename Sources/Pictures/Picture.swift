package import Kernel

/// A photo in somebody's library.
package struct Picture: Equatable, Sendable {
    /// Its id; what is behind it never changes.
    package let id: ID<Picture>
    /// Whose library it is in.
    package let owner: PersonID
    /// Pixels from left to right of the upright original.
    package let width: Int
    /// Pixels from top to bottom of the upright original.
    package let height: Int
    /// When it was taken into the library.
    package let createdAt: Instant

    /// Puts the parts together.
    package init(id: ID<Picture>, owner: PersonID, width: Int, height: Int, createdAt: Instant) {
        self.id = id
        self.owner = owner
        self.width = width
        self.height = height
        self.createdAt = createdAt
    }
}

/// The sizes that a picture is kept in. None is larger than the original.
package enum PictureSize: String, CaseIterable, Sendable {
    /// For lists and markers.
    case small
    /// For cards and forms.
    case medium
    /// For the full screen.
    case large

    /// Pixels of the longest side at the most.
    package var longestSide: Int {
        switch self {
        case .small: 160
        case .medium: 640
        case .large: 1600
        }
    }

    /// The media type of every size: transparent pictures are laid on white, so that one format serves all browsers.
    package static let mediaType = "image/jpeg"
}
