import Foundation
import Glibc
import Logging

/// The device that makes the sound.
enum Sounder: Equatable, Sendable {
    /// A program with its arguments; restarted when it ends before the time is up.
    case command([String])
    /// A file with 1 while the sounder is on, otherwise 0: a GPIO's `value`, a PWM's `enable`.
    case file(String)
    case none

    /// Parses `none`, `file:/sys/class/gpio/gpio18/value`, or `command:/usr/bin/aplay -q /path/to.wav` (words separated
    /// by blanks).
    init?(_ text: String) {
        if text == "none" {
            self = .none
        } else if text.hasPrefix("file:/") {
            self = .file(String(text.dropFirst(5)))
        } else if text.hasPrefix("command:/") {
            self = .command(text.dropFirst(8).split(separator: " ").map(String.init))
        } else {
            return nil
        }
    }

    private static let stepMilliseconds: Int64 = 100

    /// Makes the sound; ends after the time or when the task is cancelled.
    func sound(seconds: Int64, logger: Logger) async {
        switch self {
        case .none: return
        case .file(let path):
            guard Self.write("1", to: path) else {
                logger.warning("the sounder can't be switched on", metadata: ["file": "\(path)"])
                return
            }
            await Self.wait(seconds: seconds)
            _ = Self.write("0", to: path)
        case .command(let words):
            await Self.run(words, seconds: seconds, logger: logger)
        }
    }

    private static func wait(seconds: Int64) async { try? await Task.sleep(for: .seconds(seconds)) }

    private static func run(_ words: [String], seconds: Int64, logger: Logger) async {
        guard let program = words.first else { return }
        var stepsLeft = seconds * 1000 / stepMilliseconds
        while stepsLeft > 0, !Task.isCancelled {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = Array(words.dropFirst())
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            do {
                try process.run()
            } catch {
                logger.warning("the sounder's program can't be started", metadata: ["program": "\(program)"])
                return
            }
            repeat {
                try? await Task.sleep(for: .milliseconds(stepMilliseconds))
                stepsLeft -= 1
            } while process.isRunning && stepsLeft > 0 && !Task.isCancelled
            if process.isRunning { process.terminate() }
        }
    }

    private static func write(_ text: String, to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        return Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    }
}
