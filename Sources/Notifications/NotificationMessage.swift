import Kernel

/// Every sentence with which this module refuses something, in English. Pages show it in the reader's language by
/// looking the case up; JSON carries the English text.
package enum NotificationMessage: String, CaseIterable, Sendable {
    /// A page of the feed that doesn't begin where another ended.
    case unknownPlace = "Start again at the beginning of the list."
    /// No address, or none of https.
    case endpointUnusable = "This is no address of a push service."
    /// A push service that nobody listed.
    case hostUnknown = "This server doesn't send to that push service."
    /// No point on P-256.
    case keyUnusable = "This is no key of a browser."
    /// Not 16 bytes.
    case secretUnusable = "This is no secret of a browser."
    /// A test without a device.
    case offHere = "Notifications are off on this device. Turn them on first."

    /// The sentence in German.
    package var german: String {
        switch self {
        case .unknownPlace: "Fang noch einmal am Anfang der Liste an."
        case .endpointUnusable: "Das ist keine Adresse eines Push-Dienstes."
        case .hostUnknown: "An diesen Push-Dienst sendet dieser Server nicht."
        case .keyUnusable: "Das ist kein Schlüssel eines Browsers."
        case .secretUnusable: "Das ist kein Geheimnis eines Browsers."
        case .offHere: "Mitteilungen sind auf diesem Gerät aus. Schalte sie zuerst ein."
        }
    }
}

extension AppError {
    init(_ code: Code, _ message: NotificationMessage) { self.init(code, message.rawValue) }

    static func invalid(field: String, _ message: NotificationMessage) -> AppError {
        .invalid(field, message.rawValue)
    }
}
