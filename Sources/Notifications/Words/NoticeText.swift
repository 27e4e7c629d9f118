package import Kernel

/// A notice in words.
package struct NoticeText: Sendable, Equatable {
    /// Stands in ``body`` for ``time``, as only the reader's device knows the reader's clock.
    package static let timeMark = "{time}"

    /// One line.
    package let title: String
    /// A sentence or two; may hold ``timeMark`` once. Can be empty.
    package let body: String
    /// What the mark stands for.
    package let time: Instant?

    init(_ title: String, _ body: String, time: Instant? = nil) {
        self.title = title
        self.body = body
        self.time = time
    }

    /// The body around the mark; `nil` after it when there is no mark.
    package var parts: (before: String, after: String?) {
        guard time != nil, let range = body.firstRange(of: Self.timeMark) else { return (body, nil) }
        return (String(body[..<range.lowerBound]), String(body[range.upperBound...]))
    }

    /// The body with the time in UTC, for where nobody knows the reader's clock.
    package var plainBody: String {
        guard let time else { return body }
        return body.replacing(Self.timeMark, with: "\(time.rfc3339.prefix(16).replacing("T", with: " ")) UTC")
    }
}
