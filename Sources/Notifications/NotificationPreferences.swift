/// A person's preferences for push messages; the feed contains all notifications.
package struct NotificationPreferences: Sendable, Equatable {
    /// The kinds that send no push message.
    package var muted: Set<NoticeKind>
    /// Whether push messages omit details, because others may read a lock screen.
    package var hidesDetails: Bool

    /// Creates preferences. By default all kinds send messages with details.
    package init(muted: Set<NoticeKind> = [], hidesDetails: Bool = false) {
        self.muted = muted
        self.hidesDetails = hidesDetails
    }
}
