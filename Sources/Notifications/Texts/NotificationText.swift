package import Kernel

/// The text of a notification.
package struct NotificationText: Sendable, Equatable {
    /// The placeholder for ``time`` in ``body``. The reader's device replaces it in its own time zone.
    package static let timeMark = "{time}"

    package let title: String
    /// One or two sentences, with ``timeMark`` at most once. May be empty.
    package let body: String
    /// The time that replaces the mark.
    package let time: Instant?

    init(_ title: String, _ body: String, time: Instant? = nil) {
        self.title = title
        self.body = body
        self.time = time
    }

    /// The body before and after the mark; `after` is `nil` without a mark.
    package var parts: (before: String, after: String?) {
        guard time != nil, let range = body.firstRange(of: Self.timeMark) else { return (body, nil) }
        return (String(body[..<range.lowerBound]), String(body[range.upperBound...]))
    }

    /// The body with the time in UTC, for readers whose time zone is unknown.
    package var plainBody: String {
        guard let time else { return body }
        return body.replacing(Self.timeMark, with: "\(time.rfc3339.prefix(16).replacing("T", with: " ")) UTC")
    }
}
