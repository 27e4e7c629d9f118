import Kernel
import WebCore

/// The texts of Tracking, once per language. Stored properties, because templates read them by reflection. `{…}` marks
/// the placeholders of ``fill(_:_:)``.
struct TrackingStrings: WordCatalogue {
    let common: CommonStrings
    let list: ListStrings
    let form: FormStrings
    let details: DetailsStrings
    let history: HistoryStrings
    let pairing: PairingStrings
    let sources: SourceStrings
    let quarantine: QuarantineStrings
    let gone: GoneStrings
    let units: UnitStrings

    /// Returns the texts of a language.
    static func of(_ language: Language) -> TrackingStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }
}

struct CommonStrings: Sendable {
    let items: String
    let home: String
    let settings: String
    let save: String
    let cancel: String
    let delete: String
    let edit: String
    let done: String
    let later: String
    let lost: String
    let near: String
    let apart: String
    let noNews: String
    let noPosition: String
    let changedElsewhere: String
    let changedTo: String
}

struct ListStrings: Sendable {
    let title: String
    let add: String
    let emptyTitle: String
    let emptyText: String
    let more: String
    let choose: String
    let phones: String
    let noTracker: String
    let noPhonePosition: String
    let switchLabel: String
    let turningOn: String
    let turningOff: String
    let notConfirmed: String
    let stillOn: String
    let stillOff: String
    let batteryLow: String
    let silent: String
    let deleted: String
    let registering: String
    let releasing: String
    let noSwitch: String
    let off: String
    let offSince: String
}

struct FormStrings: Sendable {
    let addTitle: String
    let editTitle: String
    let name: String
    let namePlaceholder: String
    let nameHint: String
    let nameEmpty: String
    let nameTooLong: String
    let nameTooManyBytes: String
    let nameControl: String
    let photo: String
    let pictureInvalid: String
    let pictureTooLarge: String
    let pictureTooManyPixels: String
    let pictureDamaged: String
    let pictureAgain: String
    let pictureChanged: String
    let pictureRemoved: String
    let quoted: String
    let settingsTitle: String
    let locateMinutes: String
    let locateMinutesHint: String
    let lostMetres: String
    let lostMetresHint: String
    let alertMetres: String
    let alertMetresHint: String
    let walkMetres: String
    let walkMetresHint: String
    let minutesUnit: String
    let metresUnit: String
    let outOfRange: String
    let deleteItem: String
    let deleteTitle: String
    let deleteText: String
    let deleteTextPhoto: String
    let deleteTextPhotoShared: String
    let deleteTextTracker: String
    let saved: String
}

struct DetailsStrings: Sendable {
    let phoneUnknown: String
    let navigate: String
    let locate: String
    let locating: String
    let ring: String
    let ringing: String
    let chooseMaps: String
    let chooseMapsHint: String
    let mapsChoices: String
    let appleMaps: String
    let googleMaps: String
    let cannotLocate: String
    let turnedOff: String
    let history: String
    let older: String
    let all: String
    let map: String
    let lastPlace: String
    let tracker: String
    let noTracker: String
    let pair: String
    let manage: String
    let state: String
    let battery: String
    let lastSeen: String
    let never: String
    let mode: String
    let silentText: String
    let batteryText: String
    let distance: String
    let export: String
    let exportHint: String
    let showOnMap: String
    let registering: String
    let bound: String
    let active: String
    let off: String
    let releasing: String
    let bluetooth: String
    let cellular: String
}

struct HistoryStrings: Sendable {
    let title: String
    let format: String
    let empty: String
    let time: String
    let place: String
    let accuracy: String
    let battery: String
    let source: String
    let tracker: String
    let ownTracks: String
    let osmAnd: String
    let phone: String
}

struct PairingStrings: Sendable {
    let title: String
    let sheetText: String
    let bluetooth: String
    let bluetoothHint: String
    let code: String
    let codeHint: String
    let codeLabel: String
    let codePlaceholder: String
    let codeHelp: String
    let codeMissing: String
    let codeWrong: String
    let codeThrottled: String
    let pair: String
    let paired: String
    let unpair: String
    let unpairTitle: String
    let unpairText: String
    let unpaired: String
    let phoneInstead: String
    let phoneInsteadHint: String
    let removeSourceHint: String
}

struct SourceStrings: Sendable {
    let title: String
    let intro: String
    let empty: String
    let add: String
    let kind: String
    let ownTracks: String
    let ownTracksHint: String
    let osmAnd: String
    let osmAndHint: String
    let use: String
    let asPhone: String
    let asTracker: String
    let speedUnit: String
    let speedUnitHint: String
    let knots: String
    let kmh: String
    let mps: String
    let mph: String
    let create: String
    let setUpTitle: String
    let onlyOnce: String
    let url: String
    let user: String
    let password: String
    let passphrase: String
    let deviceID: String
    let serverURL: String
    let webAddress: String
    let copy: String
    let scan: String
    let scanOwnTracks: String
    let scanOsmAnd: String
    let openOwnTracks: String
    let stepsOwnTracks: [String]
    let stepsOsmAnd: [String]
    let remove: String
    let removeTitle: String
    let removeText: String
    let removed: String
    let lastSeen: String
    let neverSeen: String
    let firstAwaited: String
    let firstArrived: String
    let itemTaken: String
    let kindInvalid: String
    let secretHint: String
    let newSecret: String
    let newSecretTitle: String
    let newSecretText: String
    let shownBefore: String
    let unreachableTitle: String
    let unreachableText: String
}

struct GoneStrings: Sendable {
    let title: String
    let text: String
}

struct UnitStrings: Sendable {
    let decimalSeparator: String
    let now: String
    let minutesAgo: String
    let hoursAgo: String
    let dayAgo: String
    let daysAgo: String
    let metres: String
    let kilometres: String
    let plusMinus: String
    let percent: String
    let minutes: String
    let hours: String
    let days: String
}

struct QuarantineStrings: Sendable {
    let title: String
    let intro: String
    let empty: String
    let from: String
    let unreadableNumber: String
    let unreadableTime: String
    let placeOutOfRange: String
    let numberOutOfRange: String
    let timeOutOfRange: String
    let markedInvalid: String
    let otherPlaceAtThatTime: String
    let unknownSender: String
    let historyFull: String
    let undecryptable: String
    let unexpectedShape: String
}
