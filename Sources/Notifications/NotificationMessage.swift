import Kernel

/// The error messages of this module, in English. Pages show the translation of the case; JSON carries the English
/// text.
package enum NotificationMessage: String, CaseIterable, Sendable {
    /// The cursor of the feed isn't valid.
    case unknownPlace = "Start again at the beginning of the list."
    /// The endpoint is missing or isn't an https URL.
    case endpointUnusable = "This is no address of a push service."
    /// The push service isn't on the list of hosts.
    case hostUnknown = "This server doesn’t send to that push service."
    /// The key isn't a point on P-256.
    case keyUnusable = "This isn’t a browser’s key."
    /// The secret isn't 16 bytes long.
    case secretUnusable = "This isn’t a browser’s secret."
    /// A test needs a subscribed device.
    case offHere = "Notifications are off on this device. Turn them on first."
}

extension AppError {
    init(_ code: Code, _ message: NotificationMessage) { self.init(code, message.rawValue) }

    static func invalid(field: String, _ message: NotificationMessage) -> AppError {
        .invalid(field, message.rawValue)
    }
}
