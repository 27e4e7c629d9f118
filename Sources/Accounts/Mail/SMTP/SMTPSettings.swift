import Foundation

/// The mail server that mails are sent by, and the sender.
package struct SMTPSettings: Sendable, Equatable {
    package let server: SMTPServer
    /// The sender's address, in ASCII.
    package let sender: String
    /// A file with certificates (PEM) of the authorities that are trusted instead of the system's; `nil` for those.
    package let authoritiesFile: String?
    /// The name with which this server introduces itself.
    package let clientName: String

    /// - Parameters:
    ///   - sender: `nil` for `homeward@` and the site's host name.
    ///   - siteURL: the base URL of the site.
    /// - Throws: ``SMTPSettingsProblem/sender``.
    package init(
        server: SMTPServer, sender: String?, authoritiesFile: String?, siteURL: String
    ) throws(SMTPSettingsProblem) {
        let host = URLComponents(string: siteURL)?.encodedHost ?? ""
        // A mail server expects a domain, or an address in brackets. An address of the site says nothing to it.
        let isName = host.contains { $0.isLetter } && !host.hasPrefix("[")
        clientName = isName ? host : "localhost"
        if let sender {
            guard let address = EmailAddress(sender), address.text.utf8.allSatisfy({ $0 < 0x80 }) else {
                throw .sender
            }
            self.sender = address.text
        } else {
            self.sender = "homeward@\(clientName)"
        }
        self.server = server
        self.authoritiesFile = authoritiesFile
    }
}

/// The reason why the address of a mail server, or of the sender, can't be used.
package enum SMTPSettingsProblem: String, Error, Sendable, CustomStringConvertible {
    case url = "give smtps://USER:PASSWORD@HOST or smtp://USER:PASSWORD@HOST, with special characters percent-encoded"
    case password = "give a user name and a password, or neither"
    case unencrypted = "tls=none is only for a mail server on this computer: the password would travel in the clear"
    case query = "knows only tls=none, for smtp://"
    case sender = "give an address such as homeward@example.org, in ASCII characters"

    package var description: String { rawValue }
}

/// The address of a mail server, and the account on it.
package struct SMTPServer: Sendable, Equatable {
    /// When the connection is encrypted.
    package enum Encryption: Sendable, Equatable {
        /// From the first byte: `smtps://`.
        case implicit
        /// By STARTTLS, which is required: `smtp://`.
        case startTLS
        /// Never, on this computer alone: `smtp://…?tls=none`.
        case none
    }

    package let encryption: Encryption
    /// A name or an address; an IPv6 address is in brackets.
    package let host: String
    package let port: Int
    /// `nil` for a server without authentication.
    package let credentials: SMTPCredentials?

    private static let implicitPort = 465
    private static let submissionPort = 587

    /// Parses `smtps://USER:PASSWORD@HOST:PORT` or `smtp://USER:PASSWORD@HOST:PORT?tls=none`.
    /// - Throws: ``SMTPSettingsProblem``, which contains nothing of the text.
    package init(url: String) throws(SMTPSettingsProblem) {
        guard let parts = URLComponents(string: url, encodingInvalidCharacters: false),
            let host = parts.encodedHost?.lowercased(), Self.isHost(host),
            ["", "/"].contains(parts.percentEncodedPath),
            parts.fragment == nil, (1...65_535).contains(parts.port ?? 1)
        else { throw .url }
        let isUnencrypted: Bool
        switch parts.percentEncodedQuery {
        case nil: isUnencrypted = false
        case "tls=none": isUnencrypted = true
        default: throw .query
        }
        switch (parts.scheme?.lowercased(), isUnencrypted) {
        case ("smtps", false): encryption = .implicit
        case ("smtp", false): encryption = .startTLS
        case ("smtp", true):
            guard Self.isThisComputer(host) else { throw .unencrypted }
            encryption = .none
        case ("smtps", true): throw .query
        default: throw .url
        }
        self.host = host
        port = parts.port ?? (encryption == .implicit ? Self.implicitPort : Self.submissionPort)
        switch (parts.percentEncodedUser, parts.percentEncodedPassword) {
        case (nil, nil): credentials = nil
        case (let user?, let password?):
            guard let credentials = SMTPCredentials(percentEncodedUser: user, password: password) else { throw .url }
            self.credentials = credentials
        default: throw .password
        }
    }

    private static func isHost(_ host: String) -> Bool {
        !host.isEmpty
            && host.utf8.allSatisfy { byte in
                let character = Character(UnicodeScalar(byte))
                return byte < 0x80 && (character.isLetter || character.isNumber || "-.:[]".contains(character))
            }
    }

    private static func isThisComputer(_ host: String) -> Bool {
        host == "localhost" || host == "[::1]" || host == "::1"
            || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }
}

/// The user name and the password at a mail server. Their description doesn't contain them.
package struct SMTPCredentials: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let user: String
    let password: String

    /// Decodes the parts of a URL. `nil` if one is empty, isn't UTF-8 or contains a control character.
    init?(percentEncodedUser user: String, password: String) {
        guard let user = user.removingPercentEncoding, let password = password.removingPercentEncoding,
            Self.isLine(user), Self.isLine(password)
        else { return nil }
        self.user = user
        self.password = password
    }

    private static func isLine(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    package var description: String { "SMTPCredentials(…)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
