import Foundation
package import Kernel
package import Logging
import Synchronization

/// Writes each log entry as one JSON object on one line: `time`, `level`, `logger`, `source`, `message`, `metadata`.
///
/// Metadata values are strings, objects or lists, as the entry has them. A JSON string can't contain a line break, so
/// no value can begin a new entry.
package struct JSONLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let clock: any WallClock
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: writes a line, with its line break; standard error by default.
    package init(
        label: String, metadataProvider: Logger.MetadataProvider? = LoggingSystem.metadataProvider,
        clock: any WallClock = SystemClock(), write: @escaping @Sendable ([UInt8]) -> Void = StandardErrorLines.write
    ) {
        self.label = label
        self.metadataProvider = metadataProvider
        self.clock = clock
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one entry.
    package func log(event: LogEvent) {
        var json = JSONText()
        json.object { json in
            json.name("time")
            json.value(clock.now)
            json.name("level")
            json.value(event.level.rawValue)
            json.name("logger")
            json.value(label)
            json.name("source")
            json.value(event.source)
            json.name("message")
            json.value(event.message.description)
            json.name("metadata")
            json.value(MetadataObject(values: values(of: event)))
        }
        write(json.bytes + [UInt8(ascii: "\n")])
    }

    /// The metadata of the logger, its provider and the entry; the last has precedence.
    private func values(of event: LogEvent) -> Logger.Metadata {
        var values = metadata
        if let provided = metadataProvider?.get() { values.merge(provided) { _, new in new } }
        if let own = event.metadata { values.merge(own) { _, new in new } }
        if let error = event.error {
            // The names that swift-log's own handler uses.
            values["error.message"] = "\(error)"
            values["error.type"] = "\(String(reflecting: type(of: error)))"
        }
        return values
    }
}

private struct MetadataObject: JSONWritable {
    let values: Logger.Metadata

    func write(to json: inout JSONText) {
        json.object { json in
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                json.name(text: name)
                json.value(MetadataMember(value: value))
            }
        }
    }
}

private struct MetadataMember: JSONWritable {
    let value: Logger.Metadata.Value

    func write(to json: inout JSONText) {
        switch value {
        case .string(let text): json.value(text)
        case .stringConvertible(let value): json.value(value.description)
        case .dictionary(let values): json.value(MetadataObject(values: values))
        case .array(let values): json.list { json in for value in values { json.value(MetadataMember(value: value)) } }
        }
    }
}

/// Standard error, for lines of several threads.
package enum StandardErrorLines {
    /// Whether a line was written in part.
    private static let isBroken = Mutex(false)

    /// Writes a line. A line that can't be written is lost: a full disk must not stop the server.
    package static func write(_ line: [UInt8]) {
        // A pipe accepts a long line in parts, between which another thread could write.
        isBroken.withLock { isBroken in
            // The rest of a line that was lost must not make the next one unreadable.
            if isBroken, write([UInt8(ascii: "\n")][...]) > 0 { isBroken = false }
            guard !isBroken else { return }
            isBroken = (1..<line.count).contains(write(line[...]))
        }
    }

    /// Returns the number of bytes that were written.
    private static func write(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = Foundation.write(STDERR_FILENO, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                written += count
            }
            return written
        }
    }
}
