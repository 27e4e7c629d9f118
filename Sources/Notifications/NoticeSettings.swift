/// What somebody wants to be told on their devices; the feed in the app keeps everything.
package struct NoticeSettings: Sendable, Equatable {
    /// Kinds that send no message.
    package var muted: Set<NoticeKind>
    /// Whether messages only say that something happened: what stands on a lock screen can be read by others.
    package var hidesDetails: Bool

    /// Makes settings; without anything: every kind, with details.
    package init(muted: Set<NoticeKind> = [], hidesDetails: Bool = false) {
        self.muted = muted
        self.hidesDetails = hidesDetails
    }
}
