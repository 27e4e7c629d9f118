package import Kernel

/// The bell of a page: links to the notifications and shows the number of unread ones.
package struct ShellBell: Sendable {
    private static let highestNumber = 99

    /// The accessible label.
    package let label: String
    /// The number beside the bell; `nil` for none, or while it is unknown.
    package let bellCount: String?

    /// - Parameter unread: the number of unread notifications; `nil` if it is unknown: the page then requests it.
    package init(_ t: Translator, unread: Int?) {
        guard let unread, unread > 0 else {
            label = t("Notifications")
            bellCount = nil
            return
        }
        let number = unread > Self.highestNumber ? "\(Self.highestNumber)+" : "\(unread)"
        label = t("Notifications, {n} unread", ["n": number])
        bellCount = number
    }
}
