import Kernel

/// The error messages of this module, in English. Pages translate them by case; JSON carries the English text.
package enum TrackingErrorMessage: String, ErrorMessage, Error {
    case nameMissing = "Enter the item’s name."
    case nameTooLong
    /// The name is within the character limit, but its characters consist of too many Unicode scalars.
    case nameTooManyBytes = "This text is too long. Use fewer emoji or accents."
    case nameUnreadable = "Remove characters that aren’t allowed from the name."
    /// Minutes between two *locate* commands.
    case minutesOutOfRange
    /// The distance for *lost* or for a separation alert.
    case metresOutOfRange
    /// The longest distance for walking.
    case walkOutOfRange
    /// Days for which fixes are kept.
    case daysOutOfRange
    /// Hours without a report after which people are notified.
    case hoursOutOfRange
    /// A newer version exists than the one that the client read.
    case movedOn = "This was changed elsewhere. Review it and try again."
    case tooManyItems = "Your list is full. Delete an item that you don’t need."
    case tooManySources = "You have too many sources. Delete one that you don’t need."
    /// An earlier request with the same idempotency key already returned the secrets.
    case secretsShown = "The secrets were already shown. Create a new secret if you need one."
    case noPosition = "There is no position yet."
    /// A wrong, unknown and used claim code get the same message.
    case codeWrong = "This code is not right. Check it, and that the tracker is switched on."
    case alreadyPaired = "This item already has a tracker. Remove that one first."
    case noTracker = "This item has no tracker."
    /// A position source can't be switched, and it can't ring.
    case appCannot = "An app on a phone can’t do this."
    /// *Locate* for a tracker that is off.
    case turnedOff = "The tracker is turned off. Turn it on first."
    /// A command that is reserved for the server.
    case commandUnknown = "Choose activate, locate, on, off or ring."
    case latitudeOutOfRange = "Enter a latitude from -90 to 90."
    case longitudeOutOfRange = "Enter a longitude from -180 to 180."
    /// 0° N 0° E, which phones report without a fix.
    case noFix = "This phone doesn’t know its position yet."
    case accuracyOutOfRange
    case timeOutOfRange = "Enter a time between the year 2000 and now."
    /// An administrator's release of a tracker that has an owner.
    case trackerInUse = "This tracker belongs to an item. Its owner has to remove it first."
    case contactUnreadable = "This is not what a tracker sends."
    /// Another tracker has this key or claim code.
    case contactTaken = "This key or code is in use. Make new ones."
    case keyUnusable = "This is not a usable X25519 public key."
    case codeHashUnusable = "This is not a SHA-256 hash."
    /// A released tracker has not confirmed its release.
    case trackerReleasing = "This tracker has not let go of its former owner yet. Leave it on, and try again later."
    case challengeUnusable = "This is not a challenge of 32 hexadecimal digits."
    /// The tracker's signed answer is altered, for another item, or already used.
    case pairingWrong = "The tracker’s answer doesn’t fit. Start pairing again."
    case pairingLate = "The request to the tracker has expired. Start pairing again."
    case tooFast = "This device sends too much. Send the rest later."
    /// The account has reached its limit of stored positions.
    case historyFull = "The history is full. Keep positions for fewer days, or delete an item."
    case placeNameMissing = "Enter the place’s name."
    case safeRadiusOutOfRange
    /// A person with whom an item is shared tries what only its owner may do.
    case ownerOnly = "Only the owner of this item can do this."
    /// A person with whom an item is shared needs more access.
    case accessTooLow = "You can’t do this with a shared item. Ask its owner for more access."
    case ownerEditsItem = "This is the item’s own value. Change it where you edit the item."
    case tooManyPeople = "This item is shared with too many people. Remove a person first."
    case tooManyShared = "Too many items are shared with you. Leave one that you don’t need."
    case alreadyShared = "You can see this item already."
    case invitationUnknown = "This invitation no longer works. Ask for a new one."
    case tooManyInvitations = "There are too many open invitations. Revoke one first."
    case notInHousehold = "This person isn’t in your family."
    case invitationThrottled = "Too many wrong links. Try again later."
    /// A polygon with too few or too many corners, or with the same corner twice.
    case outlineSize
    case outlineUnreadable = "Enter each corner on a line: its latitude, a comma, its longitude."
    case outlineCrosses = "The outline crosses itself. Enter its corners in order."
    case outlineFlat = "The corners are on a line. Enter corners with an area between them."
    /// A polygon that is too small or too large.
    case outlineExtent
    case placeUnknown = "Choose one of your safe places."
    case geofenceKindUnknown = "Choose what to report."
    case dwellOutOfRange
    case daysMissing = "Choose at least one day."
    case timeUnreadable = "Enter a time such as 18:30."
    case hoursIncomplete = "Enter the start and the end of the hours, or neither."
    case timeZoneUnknown = "Enter a time zone such as Europe/Berlin."
    case tooManyGeofences = "This item has too many rules. Delete one that you don’t need."
    case tooManyPlaces = "You have too many safe places. Delete one that you don’t need."
    /// A text between the owner and a finder.
    case messageMissing = "Enter a message."
    case messageTooLong
    case messageUnreadable = "Remove characters that aren’t allowed from the message."
    case contactWrong = "Enter a phone number or an email address, or nothing."
    case tooManyLinks = "You have too many open links. Revoke one that you don’t need."
    case tooManyViewers = "Too many pages have this link open. Try again later."
    /// A recipient's position for a link that doesn't end by a meeting.
    case noMeeting = "This link needs no position of yours."
    case viewersMissing = "Choose at least one person of your family."
    case sharingTooLong = "Choose one hour or until the end of the day."
    case itemNotOwned = "Choose one of your own items with a connected app."
    case tooManyViewersOfPerson = "You share your position with too many people. End one first."
    /// A position of a child that doesn't share it.
    case notSharing = "You don’t share your position."
    case tooManyPersonRules = "You have too many rules about this person. Delete one that you don’t need."
    case reportsFull = "The owner has too many messages. Try again later."
    case labelReplaced = "The owner made a new label for this item. Scan the other label if there is one."
    case labelRemoved = "This label’s item was removed, so the label no longer leads to its owner."

    package var text: String {
        let t = Translator.english
        return switch self {
        case .nameTooLong:
            t("Use at most {n} characters for the name.", ["n": String(Limits.nameCharacters)])
        case .messageTooLong:
            t("Use at most {n} characters.", ["n": String(Limits.finderMessageCharacters)])
        case .minutesOutOfRange:
            Self.range(SettingsRule.locateMinutes)
        case .metresOutOfRange:
            Self.range(SettingsRule.lostMetres)
        case .walkOutOfRange:
            Self.range(SettingsRule.walkMetres)
        case .daysOutOfRange:
            t(
                "Enter a whole number from {least} to {most}, or nothing.",
                ["least": String(Limits.keepDays.lowerBound), "most": String(Limits.keepDays.upperBound)])
        case .outlineSize:
            t(
                "Enter {least} to {most} different corners.",
                [
                    "least": String(Limits.outlineCorners.lowerBound),
                    "most": String(Limits.outlineCorners.upperBound),
                ])
        case .outlineExtent:
            t(
                "A place can be {least} to {most} metres from its middle to its farthest corner.",
                [
                    "least": String(Limits.safePlaceRadiusMetres.lowerBound),
                    "most": String(Limits.safePlaceRadiusMetres.upperBound),
                ])
        case .dwellOutOfRange:
            Self.range(Limits.dwellMinutes)
        case .hoursOutOfRange:
            t(
                "Enter a whole number from {least} to {most}, or nothing.",
                [
                    "least": String(Limits.silentHours.lowerBound), "most": String(Limits.silentHours.upperBound),
                ])
        case .accuracyOutOfRange:
            t(
                "Enter the accuracy in metres, from {least} to {most}.",
                [
                    "least": Self.whole(Limits.accuracyMetres.lowerBound),
                    "most": Self.whole(Limits.accuracyMetres.upperBound),
                ])
        case .safeRadiusOutOfRange:
            Self.range(Limits.safePlaceRadiusMetres)
        default: rawValue
        }
    }

    private static func range(_ range: ClosedRange<Int>) -> String {
        let t = Translator.english
        return t(
            "Enter a whole number from {least} to {most}.",
            ["least": String(range.lowerBound), "most": String(range.upperBound)])
    }

    private static func whole(_ metres: Double) -> String { String(Int(metres)) }
}

extension AppError {
    init(_ code: Code, _ message: TrackingErrorMessage, field: String? = nil) {
        let fields = field.map { [$0: message.text] } ?? [:]
        self.init(code, message.text, fields: fields)
    }
}

extension FieldErrors<TrackingErrorMessage> {
    mutating func name(_ typed: String) -> String? { name(typed, missing: .nameMissing) }

    mutating func placeName(_ typed: String) -> String? { name(typed, missing: .placeNameMissing) }

    private mutating func name(_ typed: String, missing: TrackingErrorMessage) -> String? {
        do throws(TextValidation.Failure) {
            return try DisplayName(typed).text
        } catch {
            switch error {
            case .empty: refuse("name", missing)
            case .tooLong: refuse("name", .nameTooLong)
            case .tooManyBytes: refuse("name", .nameTooManyBytes)
            case .controlCharacter: refuse("name", .nameUnreadable)
            }
            return nil
        }
    }
}
