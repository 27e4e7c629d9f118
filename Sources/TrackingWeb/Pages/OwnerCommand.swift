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
    func toast(for item: Item, _ t: TrackingStrings, _ language: Language) -> ShellToast? {
        let words = ListControlStrings.of(language)
        func text(_ sentence: String) -> String { TrackingStrings.fill(sentence, ["name": item.name]) }
        func undo(by opposite: OwnerCommand) -> String {
            "\(TrackingPath.item(item.id))/commands?undo=\(opposite.rawValue)"
        }
        switch self {
        case .activate: return nil
        case .locate: return ShellToast(text(t.details.locating))
        case .ring: return ShellToast(text(t.details.ringing))
        case .on: return ShellToast(text(words.turningOn), undoURL: undo(by: .off), undoLabel: words.undo)
        case .off: return ShellToast(text(words.turningOff), undoURL: undo(by: .on), undoLabel: words.undo)
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
