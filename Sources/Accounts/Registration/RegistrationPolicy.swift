import Foundation
import Kernel

/// The rules for the creation of accounts, as the settings have them.
package struct RegistrationPolicy: Sendable, Equatable {
    /// Who can register.
    package enum Mode: String, Sendable, CaseIterable {
        /// Everyone can register.
        case open
        /// Registration requires an invitation: a household's, or one of an administrator.
        case invitation
        /// Only administrators let people in, each with an invitation.
        case closed
    }

    /// The mode that the settings prescribe; `nil` if administrators choose it while the server runs.
    package let fixedMode: Mode?
    /// The number of accounts that one network can create in ``Limits/registrationThrottleSeconds``.
    package let perHour: Int

    package init(fixedMode: Mode? = .open, perHour: Int = Limits.registrationsPerHour) {
        self.fixedMode = fixedMode
        self.perHour = perHour
    }
}

/// Who can register at present.
package enum RegistrationState: Sendable, Equatable {
    /// The server is new: its administrator sets it up first.
    case setUpRequired
    case mode(RegistrationPolicy.Mode)

    /// Whether a page offers to create an account.
    /// - Parameter destination: the path that follows the sign-up. If an invitation is required, only the page of an
    ///   invitation qualifies.
    package func offersRegistration(destination: String = "") -> Bool {
        switch self {
        case .setUpRequired: false
        case .mode(.open): true
        case .mode(.invitation): InvitationPath(destination) != nil
        case .mode(.closed): InvitationPath(destination)?.issuer == .server
        }
    }
}

/// The path of the page of an invitation. It preserves the code through sign-in and registration.
package struct InvitationPath: Sendable, Equatable {
    /// Who issued an invitation.
    package enum Issuer: String, Sendable, CaseIterable {
        /// A parent of a household.
        case household = "/family/invitations/"
        /// An administrator of this server.
        case server = "/invitations/"
    }

    package let issuer: Issuer
    package let code: String

    /// - Returns: `nil` for any other path.
    package init?(_ path: String) {
        guard let issuer = Issuer.allCases.first(where: { path.hasPrefix($0.rawValue) }) else { return nil }
        let encoded = path.dropFirst(issuer.rawValue.count).prefix { $0 != "?" && $0 != "#" }
        guard !encoded.isEmpty, !encoded.contains("/"), let code = String(encoded).removingPercentEncoding else {
            return nil
        }
        self.issuer = issuer
        self.code = code
    }
}
