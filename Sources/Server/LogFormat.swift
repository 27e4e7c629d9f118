package import Logging

/// The format of the log on standard error.
package enum LogFormat: String, Sendable, CaseIterable {
    /// Lines for people.
    case text
    /// One JSON object per line, for programs that collect logs.
    case json

    /// Returns a handler that writes to standard error.
    package func handler(label: String, level: Logger.Level) -> any LogHandler {
        switch self {
        case .text:
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        case .json:
            var handler = JSONLogHandler(label: label)
            handler.logLevel = level
            return handler
        }
    }
}
