import Foundation
import Kernel
import Subprocess
import SystemPackage

/// Sends mails by a command with the interface of `sendmail`. Postfix, Exim, msmtp and others provide one.
package struct SendmailMailer: Mailer {
    private let executable: String
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

    /// Runs the command with one mail on its standard input.
    /// - Throws: ``MailFailure``, or the error that prevented the command from starting.
    package func send(to: String, subject: String, body: String) async throws {
        let message = try EmailFormat.message(to: to, subject: subject, body: body)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await run(message) }
            group.addTask {
                try await Task.sleep(for: .seconds(timeoutSeconds))
                throw MailFailure.timedOut
            }
            defer { group.cancelAll() }
            try await group.next()
        }
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

/// The message format of mails (RFC 5322, RFC 2045, RFC 2047).
enum EmailFormat {
    private static let lineBytes = 76
    /// A line with encoded words has 76 characters. `Subject: =?UTF-8?B?` and `?=` take 21 of them, so 52 remain for
    /// base64.
    private static let wordBytes = 39
    /// RFC 5322, 2.1.1.
    private static let longestLineBytes = 998

    static func message(to: String, subject: String, body: String) throws(MailFailure) -> [UInt8] {
        guard isOneLine(to), isOneLine(subject), !to.contains(where: { $0 == "," || $0 == "<" || $0 == ">" }) else {
            throw .unsafeHeader
        }
        let isPlain = needsNoEncoding(body)
        let lines = [
            "To: \(to)", "Subject: \(encodedWords(subject))", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: \(isPlain ? "7bit" : "base64")",
            "Auto-Submitted: auto-generated", "",
        ]
        if isPlain { return Array((lines + [body]).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")] }
        let text = Data(body.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n").utf8).base64EncodedString()
        return Array((lines + wrapped(text)).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
    }

    // ASCII in lines of the allowed length needs no encoding, and is readable in any log or queue.
    private static func needsNoEncoding(_ body: String) -> Bool {
        body.utf8.allSatisfy { $0 == 0x0a || (0x20..<0x7f).contains($0) }
            && body.utf8.split(separator: 0x0a).allSatisfy { $0.count <= longestLineBytes }
    }

    private static func isOneLine(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
    }

    private static func encodedWords(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) || text.utf8.count > lineBytes else { return text }
        var words: [String] = []
        var word: [UInt8] = []
        for character in text {
            let bytes = Array(String(character).utf8)
            if word.count + bytes.count > wordBytes, !word.isEmpty {
                words.append(encodedWord(word))
                word = []
            }
            word += bytes
        }
        words.append(encodedWord(word))
        return words.joined(separator: "\n ")
    }

    private static func encodedWord(_ bytes: [UInt8]) -> String { "=?UTF-8?B?\(Data(bytes).base64EncodedString())?=" }

    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(lineBytes)))
            rest = rest.dropFirst(lineBytes)
        }
        return lines
    }
}
