/// The contents of the page of a valid link for a new password.
package struct PasswordResetDetails: Sendable, Equatable {
    /// Whether a device is signed in as a child of the person who requested the link.
    package let hasChildDevices: Bool
}
