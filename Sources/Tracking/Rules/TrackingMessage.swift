import Kernel

/// Every sentence with which this module refuses something, in English. Pages show it in the reader's language by
/// looking the case up; JSON carries the English text.
package enum TrackingMessage: String, CaseIterable, Sendable {
    /// The name is empty or null.
    case nameMissing = "Enter the item's name."
    /// The name is longer than a name may be.
    case nameTooLong = "Use at most 50 characters for the name."
    /// Characters that are put together from many.
    case nameTooManyBytes = "This text is too long. Use fewer emoji or accents."
    /// The name has a control character.
    case nameUnreadable = "Remove characters that aren't allowed from the name."
    /// Minutes between two locate requests.
    case minutesOutOfRange = "Enter a whole number from 1 to 1440."
    /// Metres of a warning.
    case metresOutOfRange = "Enter a whole number from 1 to 100000."
    /// Metres up to which one walks.
    case walkOutOfRange = "Enter a whole number from 0 to 100000."
    /// Days for which fixes are kept.
    case daysOutOfRange = "Enter a whole number from 1 to 3650, or nothing."
    /// The item changed since the asker read it.
    case movedOn = "This was changed elsewhere. Review it and try again."
    /// No more items fit into the account.
    case tooManyItems = "Your list is full. Delete an item that you don't need."
    /// No more sources fit into the account.
    case tooManySources = "You have too many sources. Delete one that you don't need."
    /// A request for secrets that was carried out before.
    case secretsShown = "The secrets were already shown. Create a new secret if you need one."
    /// There is nothing to navigate to.
    case noPosition = "There is no position yet."
    /// A cursor that no page gave out.
    case cursorUnknown = "This page doesn't exist. Start again from the first one."
    /// A claim code that is wrong, unknown or used: always the same words.
    case codeWrong = "This code is not right. Check it, and that the tracker is switched on."
    /// One tracker serves one item at a time.
    case alreadyPaired = "This item already has a tracker. Remove that one first."
    /// A command, but nothing to send it to.
    case noTracker = "This item has no tracker."
    /// Apps on phones can't be switched or rung.
    case appCannot = "An app on a phone can't do this."
    /// Locate, but the tracker is turned off.
    case turnedOff = "The tracker is turned off. Turn it on first."
    /// A command that only the service itself gives.
    case commandUnknown = "Choose activate, locate, on, off or ring."
    /// A latitude that isn't one.
    case latitudeOutOfRange = "Enter a latitude from -90 to 90."
    /// A longitude that isn't one.
    case longitudeOutOfRange = "Enter a longitude from -180 to 180."
    /// A negative accuracy, or one that is larger than the Earth.
    case accuracyOutOfRange = "Enter the accuracy in metres, from 0 to 20000000."
    /// A time before 2000 or in the future.
    case timeOutOfRange = "Enter a time between the year 2000 and now."
    /// An operator's release of a tracker that has an owner.
    case trackerInUse = "This tracker belongs to an item. Its owner has to remove it first."
    /// A first contact that can't be read.
    case contactUnreadable = "This is not what a tracker sends."
    /// The key or the code of another tracker.
    case contactTaken = "This key or code is in use. Make new ones."
    /// A key that isn't one.
    case keyUnusable = "This is not a usable X25519 public key."
    /// A code's hash that isn't one.
    case codeHashUnusable = "This is not a SHA-256 hash."
    /// A tracker that was told to let go, and hasn't confirmed it.
    case trackerReleasing = "This tracker has not let go of its former owner yet. Leave it on, and try again later."
    /// A tracker's challenge that isn't one.
    case challengeUnusable = "This is not a challenge of 32 hexadecimal digits."
    /// A tracker's answer that is altered, another's, or used up.
    case pairingWrong = "The tracker's answer doesn't fit. Start pairing again."
    /// A tracker's answer that comes too late.
    case pairingLate = "The request to the tracker has expired. Start pairing again."
    /// A device that sends faster than it may.
    case tooFast = "This device sends too much. Send the rest later."
    /// An account that has as many positions as it may.
    case historyFull = "The history is full. Keep positions for fewer days, or delete an item."
    /// A safe place without a name.
    case placeNameMissing = "Enter the place's name."
    /// A safe place's radius.
    case safeRadiusOutOfRange = "Enter a whole number from 10 to 10000."
    /// No more safe places fit into the account.
    case tooManyPlaces = "You have too many safe places. Delete one that you don't need."
}

extension AppError {
    init(_ code: Code, _ message: TrackingMessage, field: String? = nil) {
        let fields = field.map { [$0: message.rawValue] } ?? [:]
        self.init(code, message.rawValue, fields: fields)
    }
}

/// Collects what is wrong with each field, so that a form is told everything at once.
struct Problems: Sendable {
    private(set) var fields: [String: String] = [:]

    mutating func refuse(_ field: String, _ message: TrackingMessage) {
        if fields[field] == nil { fields[field] = message.rawValue }
    }

    /// Takes over what another check found.
    mutating func collect(_ check: () throws -> Void) throws {
        do {
            try check()
        } catch let error as AppError where error.code == .invalid && !error.fields.isEmpty {
            fields.merge(error.fields) { mine, _ in mine }
        }
    }

    mutating func name(_ typed: String) -> String? { name(typed, missing: .nameMissing) }

    mutating func placeName(_ typed: String) -> String? { name(typed, missing: .placeNameMissing) }

    private mutating func name(_ typed: String, missing: TrackingMessage) -> String? {
        do throws(DisplayName.Failure) {
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

    /// - Throws: `AppError(.invalid)` with all problems, when there are any.
    func finish() throws {
        guard let first = fields.min(by: { $0.key < $1.key }) else { return }
        throw AppError(.invalid, first.value, fields: fields)
    }
}
