import Foundation
import Kernel
import Logging
import Server
import Synchronization
import TestSupport
import Testing

@Suite("The log as JSON")
struct JSONLogHandlerTests {
    private final class Lines: Sendable {
        let written = Mutex<[[UInt8]]>([])
        var all: [[UInt8]] { written.withLock { $0 } }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description = "it \"failed\"\nbadly"
    }

    private let lines = Lines()
    private let clock = TestClock()

    private func logger(provider: Logger.MetadataProvider? = nil) -> Logger {
        Logger(label: "homeward") { [lines, clock] label in
            JSONLogHandler(label: label, metadataProvider: provider, clock: clock) { line in
                lines.written.withLock { $0.append(line) }
            }
        }
    }

    /// The only line, which must be one JSON object and end with its only line break.
    private func entry() throws -> [String: Any] {
        let line = try #require(lines.all.first)
        #expect(lines.all.count == 1)
        #expect(line.last == 10 && line.count { $0 == 10 } == 1)
        return try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }

    @Test("An entry has time, level, logger, source, message and metadata")
    func members() throws {
        var logger = logger()
        logger[metadataKey: "request"] = "7"
        logger.warning("It is late", metadata: ["minutes": "\(12)"], source: "Clocks")
        let entry = try entry()
        #expect(Set(entry.keys) == ["time", "level", "logger", "source", "message", "metadata"])
        #expect(entry["time"] as? String == clock.now.rfc3339)
        #expect(entry["level"] as? String == "warning")
        #expect(entry["logger"] as? String == "homeward")
        #expect(entry["source"] as? String == "Clocks")
        #expect(entry["message"] as? String == "It is late")
        #expect(entry["metadata"] as? [String: String] == ["request": "7", "minutes": "12"])
    }

    @Test("Every character survives, in names, values and messages")
    func escapes() throws {
        let controls = String(String.UnicodeScalarView((0..<0x20).compactMap(Unicode.Scalar.init)))
        let text = controls + "\"\\/\u{7f}\u{85}\u{2028}\u{2029}é👩‍👧\u{fffd}\u{10ffff}" + "\r\n"
        logger().info("\(text)", metadata: ["\(text)": "\(text)", "": ""])
        let entry = try entry()
        #expect(entry["message"] as? String == text)
        #expect(entry["metadata"] as? [String: String] == [text: text, "": ""])
    }

    @Test("Bytes that aren't UTF-8 become replacement characters")
    func invalidBytes() throws {
        logger().info("\(String(decoding: [0x61, 0xff, 0xc3], as: UTF8.self))")
        #expect(try entry()["message"] as? String == "a\u{fffd}\u{fffd}")
    }

    @Test("Nested metadata keeps its structure")
    func nested() throws {
        logger().info(
            "Nested",
            metadata: [
                "list": ["a\nb", .stringConvertible(2), ["x": "\""]], "object": ["inner": ["deep": "1"]],
                "empty": [:], "none": [],
            ])
        let metadata = try #require(try entry()["metadata"] as? [String: Any])
        let list = try #require(metadata["list"] as? [Any])
        #expect(list.count == 3 && list[0] as? String == "a\nb" && list[1] as? String == "2")
        #expect(list[2] as? [String: String] == ["x": "\""])
        #expect((metadata["object"] as? [String: Any])?["inner"] as? [String: String] == ["deep": "1"])
        #expect((metadata["empty"] as? [String: Any])?.isEmpty == true && (metadata["none"] as? [Any])?.isEmpty == true)
    }

    @Test("The entry's metadata replaces the provider's, and the provider's the logger's")
    func precedence() throws {
        var logger = logger(provider: Logger.MetadataProvider { ["a": "provider", "b": "provider"] })
        logger[metadataKey: "a"] = "logger"
        logger[metadataKey: "c"] = "logger"
        logger.info("Hello", metadata: ["b": "entry"])
        #expect(try entry()["metadata"] as? [String: String] == ["a": "provider", "b": "entry", "c": "logger"])
    }

    @Test("An error is described by its type and message")
    func errors() throws {
        logger().error("Not possible", error: Failure())
        let metadata = try #require(try entry()["metadata"] as? [String: String])
        #expect(metadata["error.message"] == Failure().description)
        #expect(metadata["error.type"]?.hasSuffix("Failure") == true)
    }

    @Test("The level applies")
    func level() {
        let handler = LogFormat.json.handler(label: "test", level: .error)
        #expect(handler.logLevel == .error && handler is JSONLogHandler)
        #expect(LogFormat.text.handler(label: "test", level: .debug).logLevel == .debug)
    }
}
