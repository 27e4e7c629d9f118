import CCurl
import Foundation
import Kernel
import NIOPosix

/// Sends mails by SMTP to a mail server, each over a connection of its own.
package struct SMTPMailer: Mailer {
    private let settings: SMTPSettings
    private let timeLimits: SMTPTimeLimits

    /// libcurl blocks its thread, so it has threads of its own.
    private static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: Limits.smtpConnections)
        threads.start()
        return threads
    }()

    package init(_ settings: SMTPSettings) { self.init(settings, timeLimits: SMTPTimeLimits()) }

    init(_ settings: SMTPSettings, timeLimits: SMTPTimeLimits) {
        self.settings = settings
        self.timeLimits = timeLimits
    }

    /// Sends a mail. It is sent once the server has accepted it.
    /// - Throws: ``MailFailure``, or `CancellationError`.
    @discardableResult
    package func send(_ mail: OutgoingMail) async throws -> MailReply? {
        let recipient = try SMTPAddress.ascii(mail.email.to)
        let message = try EmailFormat(mail, from: settings.sender, to: recipient).message(lineEnd: "\r\n")
        return try await result(
            of: SMTPTransfer(
                settings, mail: SMTPTransfer.Mail(recipient: recipient, message: message), timeLimits: timeLimits)
        ).reply
    }

    /// Connects to the mail server and signs in, as for a mail, without sending one.
    /// - Throws: ``MailFailure``, or `CancellationError`.
    package func check(seconds: Int) async throws {
        let limits = SMTPTimeLimits(connectSeconds: seconds, replySeconds: seconds, totalSeconds: seconds)
        _ = try await result(of: SMTPTransfer(settings, mail: nil, timeLimits: limits))
    }

    private func result(of transfer: SMTPTransfer) async throws -> SMTPSession {
        let result = try await withTaskCancellationHandler {
            try await Self.threads.runIfActive { transfer.perform() }
        } onCancel: {
            transfer.cancel()
        }
        guard result.code == CURLE_OK else {
            if result.code == CURLE_ABORTED_BY_CALLBACK { throw CancellationError() }
            throw MailFailure(result.code, result.session, hasCredentials: settings.server.credentials != nil)
        }
        return result.session
    }
}

/// Addresses as mail servers without SMTPUTF8 accept them.
enum SMTPAddress {
    /// Returns an address whose domain is in ASCII (RFC 5891).
    /// - Throws: ``MailFailure`` if the part before the @ isn't ASCII: few mail servers support that (RFC 6531).
    static func ascii(_ address: String) throws(MailFailure) -> String {
        guard !address.utf8.allSatisfy({ (0x21..<0x7f).contains($0) }) else { return address }
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x21..<0x7f).contains($0) }) else {
            // A control character is reported as such.
            guard address.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                throw .unsafeHeader
            }
            throw MailFailure(.addressInternational)
        }
        guard let domain = domain(String(parts[1])) else { throw .unsafeHeader }
        return "\(parts[0])@\(domain)"
    }

    private static func domain(_ domain: String) -> String? {
        var url = URLComponents()
        url.host = domain
        guard let host = url.encodedHost, host.utf8.allSatisfy({ (0x21..<0x7f).contains($0) }), !host.contains("%")
        else {
            return nil
        }
        return host
    }
}
