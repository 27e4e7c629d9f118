package import Logging
import Synchronization

/// Records log entries of all levels.
package final class LogRecorder: Sendable {
    private let recorded = Mutex<[(entry: String, line: String)]>([])
    /// Entries as `level name=value …`, sorted by metadata name, without the message.
    package var entries: [String] { recorded.withLock { $0.map(\.entry) } }
    /// Entries with level, message and all metadata.
    package var lines: [String] { recorded.withLock { $0.map(\.line) } }
    package var logger: Logger { Logger(label: "test") { _ in Handler(recorder: self) } }

    package init() {}

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let values = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
            let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
            recorder.recorded.withLock {
                $0.append(("\(event.level) \(values.joined(separator: " "))", "\(event.level) \(event.message) \(all)"))
            }
        }
    }
}
