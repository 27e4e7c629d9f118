import Foundation

/// What somebody presses who found the tracker: a file that is 1 as long as it is down, such as a GPIO's `value`.
struct Button: Equatable, Sendable {
    let file: String

    /// The draft's example for a user action (draft-ietf-dult-accessory-protocol-00, 3.13.4.1): nobody does it by accident.
    static let heldSeconds = 10
    private static let stepMilliseconds = 500

    /// `file:/sys/class/gpio/gpio17/value`
    init?(_ text: String) {
        guard text.hasPrefix("file:/") else { return nil }
        file = String(text.dropFirst(5))
    }

    var isDown: Bool { FileManager.default.contents(atPath: file)?.first == UInt8(ascii: "1") }

    /// Ends when it was down for ten seconds, or with its task.
    func held() async {
        var steps = 0
        while steps < Self.heldSeconds * 1_000 / Self.stepMilliseconds {
            guard (try? await Task.sleep(for: .milliseconds(Self.stepMilliseconds))) != nil else { return }
            steps = isDown ? steps + 1 : 0
        }
    }
}
