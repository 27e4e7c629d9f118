import Foundation

/// The button for finders: a file that contains 1 while it is pressed, for example a GPIO's `value`.
struct Button: Equatable, Sendable {
    let file: String

    /// The draft's example of a user action (draft-ietf-dult-accessory-protocol-00, 3.13.4.1): too long to be
    /// accidental.
    static let heldSeconds = 10
    private static let stepMilliseconds = 500

    /// Parses `file:/sys/class/gpio/gpio17/value`; returns `nil` for anything else.
    init?(_ text: String) {
        guard text.hasPrefix("file:/") else { return nil }
        file = String(text.dropFirst(5))
    }

    var isDown: Bool { FileManager.default.contents(atPath: file)?.first == UInt8(ascii: "1") }

    /// Returns when the button has been pressed for ten seconds, or when the task is cancelled.
    func held() async {
        var steps = 0
        while steps < Self.heldSeconds * 1_000 / Self.stepMilliseconds {
            guard (try? await Task.sleep(for: .milliseconds(Self.stepMilliseconds))) != nil else { return }
            steps = isDown ? steps + 1 : 0
        }
    }
}
