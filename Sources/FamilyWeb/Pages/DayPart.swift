import Kernel
import Recurrence
import WebCore

/// The choices of the form *Repeats* for the time by which a chore is due.
enum DayPart: String, CaseIterable, Sendable {
    /// Any time of the day.
    case any
    case morning
    case afternoon
    case evening
    /// A time that the parent enters.
    case time

    /// The end of the part; `nil` for the others.
    var end: LocalTime? {
        switch self {
        case .any, .time: nil
        case .morning: LocalTime(hour: 12, minute: 0)
        case .afternoon: LocalTime(hour: 18, minute: 0)
        case .evening: LocalTime(hour: 21, minute: 0)
        }
    }

    init(_ time: LocalTime?) {
        self = time == nil ? .any : Self.allCases.first { $0.end == time } ?? .time
    }

    func label(_ t: Translator) -> String {
        switch self {
        case .any: t("Any time")
        case .morning: t("In the morning")
        case .afternoon: t("In the afternoon")
        case .evening: t("In the evening")
        case .time: t("By a time of your choice")
        }
    }
}
