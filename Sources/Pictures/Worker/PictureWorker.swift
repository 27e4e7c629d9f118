import Foundation
import Kernel
import Subprocess
import SystemPackage

/// Decodes pictures in a process of their own, which may use little memory and time and can't open files or sockets:
/// a file that takes over a decoder has won nothing.
package struct PictureWorker: Sendable {
    /// Why there is no answer; a picture that was looked at and not taken is a ``PictureRefusal``.
    package enum Failure: Error, Equatable, Sendable {
        /// Too many pictures are waiting already.
        case busy
        /// The process could not be started, or not be talked to.
        case notStarted(String)
        /// It took longer than its time and was killed.
        case timedOut
        /// It ended without a proper answer: most often out of memory, or crashed.
        case died(String)
    }

    private let executable: String
    private let arguments: [String]
    private let timeout: Duration
    private let slots: WorkerSlots

    /// Makes the parent's side; processes start as pictures come.
    /// - Parameters:
    ///   - executable: the path of the `homeward` binary, or of what stands in for it in a test.
    ///   - arguments: what makes it call ``runWorker()``.
    ///   - timeout: wall-clock time that one picture may take.
    ///   - atOnce: processes at the same time.
    ///   - queue: pictures that may wait for a process.
    package init(
        executable: String,
        arguments: [String] = [PictureWorker.argument],
        timeout: Duration = .seconds(Limits.pictureSeconds),
        atOnce: Int = Limits.pictureWorkers,
        queue: Int = Limits.pictureQueue
    ) {
        self.executable = executable
        self.arguments = arguments
        self.timeout = timeout
        slots = WorkerSlots(count: atOnce, queue: queue, queuePerKey: Limits.pictureQueuePerPerson)
    }

    /// Decodes, turns, shrinks and encodes a picture. Cancelling the task kills the process.
    /// - Parameter key: whose picture it is: at most ``Limits/pictureQueuePerPerson`` of one key wait.
    /// - Throws: ``PictureRefusal``, ``Failure`` or `CancellationError`.
    package func render(_ bytes: [UInt8], for key: String? = nil) async throws -> RenderedPicture {
        guard bytes.count <= Limits.pictureBytes else { throw PictureRefusal.tooLarge }
        guard PictureFormat(bytes) != nil else { throw PictureRefusal.notAPicture }
        switch try await slots.use(for: key, { try await ask(bytes) }) {
        case .rendered(let picture): return picture
        case .refused(let refusal): throw refusal
        }
    }

    private func ask(_ picture: [UInt8]) async throws -> WorkerAnswer {
        let ended = try await withThrowingTaskGroup(of: Ended?.self) { group in
            group.addTask { try await run(picture) }
            group.addTask {
                try await Task.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        guard let ended else { throw Failure.timedOut }
        if ended.status == .exited(Self.failureStatus) { throw Failure.notStarted("it could not limit itself") }
        guard ended.status.isSuccess, let answer = WorkerAnswer(ended.output) else {
            throw Failure.died("\(ended.status)")
        }
        return answer
    }

    private struct Ended: Sendable {
        let status: TerminationStatus
        let output: [UInt8]
    }

    // A process that ends before it has read everything would otherwise take the server with it.
    private static let ignoringBrokenPipes: Void = {
        _ = signal(SIGPIPE, SIG_IGN)
    }()

    private func run(_ picture: [UInt8]) async throws -> Ended {
        Self.ignoringBrokenPipes
        var options = PlatformOptions()
        // No steps before the kill: there is nothing that it could tidy up.
        options.teardownSequence = []
        do {
            let result = try await Subprocess.run(
                .path(FilePath(executable)),
                arguments: Arguments(arguments),
                // Nothing of the server's environment; a crash is not to start a debugger.
                environment: .custom(["SWIFT_BACKTRACE": "enable=no", "MALLOC_ARENA_MAX": "1"]),
                platformOptions: options,
                input: .inputWriter,
                output: .bytes(limit: Limits.pictureAnswerBytes),
                error: .discarded
            ) { process in
                // Given as an array, what a process leaves unread would trap in swift-subprocess. An error is no news
                // here: its cause shows in how the process ends.
                _ = try? await process.standardInputWriter.write(picture)
                try await process.standardInputWriter.finish()
            }
            return Ended(status: result.terminationStatus, output: result.standardOutput)
        } catch let error as SubprocessError {
            try Task.checkCancellation()
            let didStart = error.code != .spawnFailed && error.code != .executableNotFound
            throw didStart ? Failure.died("\(error)") : Failure.notStarted("\(error)")
        }
    }
}
