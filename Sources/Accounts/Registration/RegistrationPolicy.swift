import Foundation
import Kernel

/// The rules for the creation of accounts.
package struct RegistrationPolicy: Sendable, Equatable {
    /// The setting for who can register.
    package enum Mode: String, Sendable, CaseIterable {
        /// Everyone can register.
        case open
        /// Registration requires a household's invitation.
        case invitation
        /// Only the administrator creates accounts.
        case closed
    }

    package let mode: Mode
    /// The number of accounts that one network can create in ``Limits/registrationThrottleSeconds``.
    package let perHour: Int

    package init(mode: Mode = .open, perHour: Int = Limits.registrationsPerHour) {
        self.mode = mode
        self.perHour = perHour
    }
}

/// The path of the page on which a household's invitation is accepted. It preserves the code through sign-in and
/// registration.
package enum InvitationPath {
    private static let folder = "/family/invitations/"

    /// Returns the invitation's code; `nil` for any other path.
    package static func code(in path: String) -> String? {
        guard path.hasPrefix(folder) else { return nil }
        let code = path.dropFirst(folder.count).prefix { $0 != "?" && $0 != "#" }
        guard !code.isEmpty, !code.contains("/") else { return nil }
        return String(code).removingPercentEncoding
    }
}
