/// The bell of a page: leads to what the reader is told, and shows how much of it they haven't read.
package struct ShellBell: Sendable {
    private static let highestNumber = 99

    /// `/static/VERSION`.
    package let assets: String
    /// Read out.
    package let label: String
    /// Beside the bell; `nil` for none, or before it is known.
    package let bellCount: String?

    /// Makes a bell.
    /// - Parameter unread: how many aren't read; `nil` when it isn't known yet: the page then asks for it.
    package init(assets: String, language: Language, unread: Int?) {
        self.assets = assets
        let (name, some) =
            switch language {
            case .english: ("Notifications", "Notifications, NUMBER unread")
            case .german: ("Mitteilungen", "Mitteilungen, NUMBER ungelesen")
            }
        guard let unread, unread > 0 else {
            label = name
            bellCount = nil
            return
        }
        let number = unread > Self.highestNumber ? "\(Self.highestNumber)+" : "\(unread)"
        label = some.replacing("NUMBER", with: number)
        bellCount = number
    }
}
