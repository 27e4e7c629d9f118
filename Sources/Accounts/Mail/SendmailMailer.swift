import Foundation
import Kernel
import Subprocess
import SystemPackage

/// Sends mails by a command with the interface of `sendmail`. Postfix, Exim, msmtp and others provide one.
package struct SendmailMailer: Mailer {
    /// The program, or its path.
    package let executable: String
    private let arguments: [String]
    private let timeoutSeconds: Int

    /// Creates a mailer.
    /// - Parameter command: the program and its arguments, separated by spaces, without a shell. The options `-i` (a
    ///   line with a single dot doesn't end the mail) and `-t` (the recipients are in the headers) are added where they
    ///   are missing.
    /// - Throws: ``MailFailure/emptyCommand``.
    package init(command: String, timeoutSeconds: Int = Limits.mailCommandSeconds) throws {
        let words = command.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let executable = words.first else { throw MailFailure.emptyCommand }
        self.executable = executable
        self.timeoutSeconds = timeoutSeconds
        arguments = words.dropFirst() + ["-i", "-t"].filter { !words.contains($0) }
    }

    /// Whether the command's program exists and may be run by this process.
    package var isExecutable: Bool {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        let paths = executable.contains("/") ? [executable] : folders.map { "\($0)/\(executable)" }
        return paths.contains { path in
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
        }
    }

    /// Runs the command with one mail on its standard input. The command adds the sender.
    /// - Throws: ``MailFailure``, or the error that prevented the command from starting.
    @discardableResult
    package func send(_ mail: OutgoingMail) async throws -> MailReply? {
        let message = try EmailFormat(mail, to: mail.email.to).message(lineEnd: "\n")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await run(message) }
            group.addTask {
                try await Task.sleep(for: .seconds(timeoutSeconds))
                throw MailFailure.timedOut
            }
            defer { group.cancelAll() }
            try await group.next()
        }
        return nil
    }

    private func run(_ message: [UInt8]) async throws {
        let file = try Self.unnamedFile(message)
        defer { try? file.close() }
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(1))]
        let program: Executable = executable.contains("/") ? .path(FilePath(executable)) : .name(executable)
        let result = try await Subprocess.run(
            program, arguments: Arguments(arguments), platformOptions: options,
            input: .fileDescriptor(file, closeAfterSpawningProcess: false), output: .discarded, error: .discarded
        )
        guard result.terminationStatus.isSuccess else { throw MailFailure.refused }
    }

    // Not a pipe: a command that ends before it has read everything would end the whole process by SIGPIPE.
    private static func unnamedFile(_ bytes: [UInt8]) throws -> FileDescriptor {
        var template = Array("\(NSTemporaryDirectory())/homeward-mail-XXXXXX".utf8CString)
        let raw = mkstemp(&template)
        guard raw >= 0 else { throw Errno(rawValue: errno) }
        unlink(template)
        let file = FileDescriptor(rawValue: raw)
        do {
            try file.writeAll(bytes)
            try file.seek(offset: 0, from: .start)
            return file
        } catch {
            try? file.close()
            throw error
        }
    }
}
