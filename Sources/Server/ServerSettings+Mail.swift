package import Accounts
import Foundation

extension Setting {
    package static let smtpURL = Setting(
        "HOMEWARD_SMTP_URL",
        "The mail server that sends mails: smtps://USER:PASSWORD@HOST:465, or smtp://USER:PASSWORD@HOST:587 with "
            + "STARTTLS. Percent-encode special characters. As a flag, without a password."
    )
    /// The sender's address.
    package static let smtpFrom = Setting(
        "HOMEWARD_SMTP_FROM", standard: "homeward@HOST",
        "The sender's address of mails over SMTP. HOST is that of HOMEWARD_URL."
    )
    /// The authorities of the mail server's certificate.
    package static let smtpCAFile = Setting(
        "HOMEWARD_SMTP_CA_FILE",
        "A file with certificates (PEM) of authorities that may certify the mail server, instead of the system's."
    )
}

/// How mails are passed on.
package enum MailTransportSettings: Sendable, Equatable {
    /// A command with the interface of `sendmail`.
    case command(String)
    /// A mail server.
    case smtp(SMTPSettings)

    /// - Throws: ``SettingError`` for a command without words.
    var mailer: any Mailer {
        get throws {
            switch self {
            case .smtp(let settings): return SMTPMailer(settings)
            case .command(let command):
                do {
                    return try SendmailMailer(command: command)
                } catch {
                    throw SettingError(.mail, "is no command")
                }
            }
        }
    }
}

extension ServerSettings {
    static func mail(
        _ text: (Setting) -> String?, siteURL: String
    ) throws(SettingError) -> MailTransportSettings? {
        guard let url = text(.smtpURL) else {
            for setting in [Setting.smtpFrom, .smtpCAFile] where text(setting) != nil {
                throw SettingError(setting, "has no effect without \(Setting.smtpURL.name)")
            }
            return text(.mail).map { .command($0) }
        }
        guard text(.mail) == nil else {
            throw SettingError(.smtpURL, "can't be combined with \(Setting.mail.name): remove one of them")
        }
        let authorities = text(.smtpCAFile)
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw SettingError(.smtpCAFile, "names a file that can't be read")
        }
        let server: SMTPServer
        do throws(SMTPSettingsProblem) {
            server = try SMTPServer(url: url)
        } catch {
            throw SettingError(.smtpURL, "\(error)")
        }
        do throws(SMTPSettingsProblem) {
            return .smtp(
                try SMTPSettings(
                    server: server, sender: text(.smtpFrom), authoritiesFile: authorities, siteURL: siteURL))
        } catch {
            throw SettingError(.smtpFrom, "\(error)")
        }
    }
}
