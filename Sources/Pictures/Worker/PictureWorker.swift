import Foundation
import Kernel
import Subprocess
import SystemPackage

/// Decodes pictures in child processes with little memory and time and without access to files or sockets, so that an
/// exploit of a decoder gains nothing.
package struct PictureWorker: Sendable {
    /// Thrown when the worker gives no result. A picture that was decoded and rejected throws ``PictureError``.
    package enum Failure: Error, Equatable, Sendable {
        /// Too many pictures are in the queue.
        case busy
        /// The process couldn't be started, or communication with it failed.
        case notStarted(String)
        /// The process was killed after the timeout.
        case timedOut
        /// The process ended without a valid response, in most cases because it crashed or ran out of memory.
        case died(String)
    }

    private let executable: String
    private let arguments: [String]
    private let timeout: Duration
    /// Runs one picture of a person at a time; people take turns.
    let limiter: WorkLimiter

    /// Creates the parent's side. Processes start on demand.
    /// - Parameters:
    ///   - executable: the path of the `homeward` binary, or of its replacement in tests.
    ///   - arguments: the arguments that make it call ``runWorker()``.
    ///   - timeout: the wall-clock limit per picture.
    ///   - atOnce: the maximum number of concurrent processes.
    ///   - queue: the maximum number of waiting pictures.
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
        limiter = WorkLimiter(
            places: atOnce, queue: queue, queuePerKey: Limits.pictureQueuePerPerson, busy: Failure.busy)
    }

    /// Decodes, rotates, scales and encodes a picture. Cancelling the task kills the process.
    /// - Parameter key: the picture's owner. One picture of a key is decoded at a time, and at most
    ///   ``Limits/pictureQueuePerPerson`` wait.
    /// - Throws: ``PictureError``, ``Failure`` or `CancellationError`.
    package func render(_ bytes: [UInt8], for key: String? = nil) async throws -> RenderedPicture {
        guard bytes.count <= Limits.pictureBytes else { throw PictureError.tooLarge }
        guard PictureFormat(bytes) != nil else { throw PictureError.notAPicture }
        let keys: Set<String> = if let key { [key] } else { [] }
        let response = try await limiter.run(keys: keys) { try await request(bytes) }
        switch response {
        case .rendered(let picture): return picture
        case .refused(let refusal): throw refusal
        }
    }

    private func request(_ picture: [UInt8]) async throws -> WorkerResponse {
        let ended = try await withThrowingTaskGroup(of: Ended?.self) { group in
            group.addTask { try await run(picture) }
            group.addTask {
                try await Task.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        // A cancelled task has killed the process; its exit status says nothing about the picture.
        try Task.checkCancellation()
        guard let ended else { throw Failure.timedOut }
        if ended.status == .exited(Self.failureStatus) { throw Failure.notStarted("it could not limit itself") }
        guard ended.status.isSuccess, let answer = WorkerResponse(ended.output) else {
            throw Failure.died("\(ended.status)")
        }
        return answer
    }

    private struct Ended: Sendable {
        let status: TerminationStatus
        let output: [UInt8]
    }

    // Without this, SIGPIPE would end the server when a worker exits before it has read its input.
    private static let ignoringBrokenPipes: Void = {
        _ = signal(SIGPIPE, SIG_IGN)
    }()

    private func run(_ picture: [UInt8]) async throws -> Ended {
        Self.ignoringBrokenPipes
        var options = PlatformOptions()
        // No teardown before the kill: the process has nothing to clean up.
        options.teardownSequence = []
        do {
            let result = try await Subprocess.run(
                .path(FilePath(executable)),
                arguments: Arguments(arguments),
                // The server's environment isn't inherited, and a crash doesn't start a debugger.
                environment: .custom(["SWIFT_BACKTRACE": "enable=no", "MALLOC_ARENA_MAX": "1"]),
                platformOptions: options,
                input: .inputWriter,
                output: .bytes(limit: Limits.pictureResponseBytes),
                error: .discarded
            ) { process in
                // The array-based input of swift-subprocess traps if the process doesn't read everything. The error
                // is ignored, because the process's exit status shows the cause.
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
