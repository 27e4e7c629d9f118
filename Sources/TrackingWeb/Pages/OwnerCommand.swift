import Kernel
import Tracking
import WebCore

/// The commands that an owner can send to a tracker.
enum OwnerCommand: String, Sendable {
    case activate
    case locate
    case on
    case off
    case ring

    /// Returns the message after the command is queued. A switch command can be undone.
    func toast(for item: Item, _ t: Translator) -> ShellToast? {
        func text(_ sentence: String) -> String { Translator.filled(sentence, ["name": item.name]) }
        func undo(by opposite: OwnerCommand) -> String {
            "\(TrackingPath.item(item.id))/commands?undo=\(opposite.rawValue)"
        }
        switch self {
        case .activate: return nil
        case .locate: return ShellToast(text(t("Asking {name} where it is…")))
        case .ring: return ShellToast(text(t("Asking {name} to ring…")))
        case .on: return ShellToast(text(t("Turning {name} on")), undoURL: undo(by: .off), undoLabel: t("Undo"))
        case .off: return ShellToast(text(t("Turning {name} off")), undoURL: undo(by: .on), undoLabel: t("Undo"))
        }
    }

    var kind: CommandKind {
        switch self {
        case .activate: .activate
        case .locate: .locate
        case .on: .on
        case .off: .off
        case .ring: .ring
        }
    }
}
