import Backups
import Foundation
import Kernel
import Synchronization

/// Shows progress on standard error: one changing line on a terminal, else a line for each step and every ten seconds.
final class ProgressPrinter: Sendable {
    private struct State {
        var phase: BackupProgress.Phase?
        var shownAt: ContinuousClock.Instant?
        var isLineOpen = false
    }

    private static let pause = Duration.seconds(10)
    private static let terminalPause = Duration.milliseconds(200)

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    func show(_ progress: BackupProgress) {
        let now = ContinuousClock.now
        state.withLock { state in
            let pause = isTerminal ? Self.terminalPause : Self.pause
            let isDue = state.shownAt.map { $0.duration(to: now) >= pause } ?? true
            guard isDue || progress.phase != state.phase else { return }
            if state.isLineOpen, progress.phase != state.phase { Self.write("\n") }
            state.phase = progress.phase
            state.shownAt = now
            state.isLineOpen = isTerminal
            Self.write(isTerminal ? "\r\u{1B}[K\(Self.line(progress))" : "\(Self.line(progress))\n")
        }
    }

    /// Ends the changing line.
    func end() {
        state.withLock { state in
            if state.isLineOpen { Self.write("\n") }
            state = State()
        }
    }

    private static func line(_ progress: BackupProgress) -> String {
        guard progress.done > 0 else { return "\(progress.phase.rawValue) …" }
        let isBytes = progress.unit == "bytes"
        let words = { (number: Int64) in isBytes ? "\(number / 1_048_576) MiB" : "\(number)" }
        let total = progress.total.map { " of \(words($0))" } ?? ""
        return "\(progress.phase.rawValue): \(words(progress.done))\(total)"
    }

    private static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
