import Accounts
package import Kernel
package import Pictures

/// An item that its owner reports as lost, with the data that finders see.
package struct LostMode: Sendable, Equatable {
    /// The owner's words for finders, 1 to ``Limits/finderMessageCharacters`` characters.
    package let message: String
    /// The contact that the owner chose for finders; `nil` for none.
    package let contact: FinderContact?
    /// Whether finders see the item's photo.
    package let showsPhoto: Bool
    package let since: Instant
    /// Increases by one with each change.
    package let version: Int64
}

/// A phone number or an email address that finders see.
package enum FinderContact: Sendable, Equatable {
    case email(String)
    case phone(String)

    /// Reads a typed contact; `nil` for text that is neither.
    package init?(_ typed: String) {
        if let email = EmailAddress(typed) {
            self = .email(email.text)
        } else if let phone = PhoneNumber(typed) {
            self = .phone(phone.text)
        } else {
            return nil
        }
    }

    package var text: String {
        switch self {
        case .email(let text), .phone(let text): text
        }
    }
}

/// The data of lost mode, before validation.
package struct LostModeInput: Sendable {
    package let message: String
    /// A phone number or an email address; blank for none.
    package let contact: String
    package let showsPhoto: Bool

    package init(message: String, contact: String, showsPhoto: Bool) {
        self.message = message
        self.contact = contact
        self.showsPhoto = showsPhoto
    }

    /// Checks the rules that need no store.
    /// - Throws: `AppError(.invalid)` at `message` and `contact`.
    package func check() throws { _ = try checked() }

    func checked() throws -> (message: String, contact: FinderContact?) {
        var problems = FieldErrors<TrackingErrorMessage>()
        let message = problems.finderMessage(self.message)
        let contact = FinderContact(self.contact)
        if contact == nil, !self.contact.allSatisfy(\.isWhitespace) { problems.refuse("contact", .contactWrong) }
        try problems.finish()
        return (message ?? "", contact)
    }
}

/// The label of an item, with the secret in its QR code.
package struct ItemLabel: Sendable, Equatable {
    package let item: Item
    /// 128 random bits, base64url; `nil` before the first label.
    package let secret: String?
}

/// The path to the page for finders.
package enum FinderReference: Sendable {
    /// The secret of a printed label.
    case label(String)
    /// The token that a tracker sends while its button is held.
    case token(String)

    /// Whether a label led here. Its finder can write even if the item isn't reported lost.
    package var isLabel: Bool {
        guard case .label = self else { return false }
        return true
    }
}

/// What a finder may know of an item.
package struct FoundItem: Sendable, Equatable {
    /// The tracker whose token led here; `nil` for a label.
    package let tracker: FoundTracker?
    /// `nil` when the item isn't reported lost.
    package let lost: LostItem?
}

/// What a finder may know of an item that is reported lost.
package struct LostItem: Sendable, Equatable {
    package let message: String
    package let contact: FinderContact?
    /// `nil` when the item has no photo, or its owner doesn't show it.
    package let pictureID: ID<Picture>?
}

/// A finder's words about an item.
package struct FinderReport: Sendable, Equatable {
    package let id: ID<FinderReport>
    package let message: String
    /// The finder's position; `nil` when the finder sent none.
    package let place: Coordinate?
    package let accuracyMetres: Double?
    /// The owner's answer; `nil` before one.
    package let reply: String?
    package let repliedAt: Instant?
    /// Increases by one with each change.
    package let version: Int64
    package let createdAt: Instant
}

/// A finder's words with their item.
package struct FinderReportDetails: Sendable {
    package let item: Item
    package let report: FinderReport
    /// Where the finder was, in the reader's words; `nil` when the finder sent no position.
    package let place: PlaceDescription?
    /// The distance in metres from the reader's phone; `nil` for unknown.
    let distanceMetres: Double?
}

/// A finder's words before validation.
package struct FinderReportInput: Sendable {
    package let message: String
    package let latitude: Double?
    package let longitude: Double?
    package let accuracyMetres: Double?

    package init(message: String, latitude: Double?, longitude: Double?, accuracyMetres: Double?) {
        self.message = message
        self.latitude = latitude
        self.longitude = longitude
        self.accuracyMetres = accuracyMetres
    }

    func checked() throws -> (message: String, place: Coordinate?) {
        var problems = FieldErrors<TrackingErrorMessage>()
        let message = problems.finderMessage(self.message)
        var place: Coordinate?
        if let latitude, let longitude {
            place = Coordinate(latitude: latitude, longitude: longitude)
            if place == nil { problems.refuse("latitude", .latitudeOutOfRange) }
        }
        if let accuracyMetres, !Limits.accuracyMetres.contains(accuracyMetres) {
            problems.refuse("accuracy", .accuracyOutOfRange)
        }
        try problems.finish()
        return (message ?? "", place)
    }
}

extension FieldErrors<TrackingErrorMessage> {
    /// Checks a text between owner and finder.
    mutating func finderMessage(_ typed: String) -> String? {
        do throws(TextValidation.Failure) {
            let text = try TextValidation.lines(
                typed, characters: Limits.finderMessageCharacters, bytes: Limits.finderMessageBytes)
            if text == nil { refuse("message", .messageMissing) }
            return text
        } catch {
            switch error {
            case .empty: refuse("message", .messageMissing)
            case .tooLong: refuse("message", .messageTooLong)
            case .tooManyBytes: refuse("message", .nameTooManyBytes)
            case .controlCharacter: refuse("message", .messageUnreadable)
            }
            return nil
        }
    }
}
