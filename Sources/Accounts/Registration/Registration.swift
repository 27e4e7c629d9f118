/// The input of a registration, as it was typed.
package struct Registration: Sendable {
    /// The app the person registers for. It decides which fields are required. Absent means tracking.
    package let app: String?
    package let email: String?
    package let password: String?
    package let name: String?
    /// Required by Family.
    package let dateOfBirth: String?
    /// Required by Carrepsa.
    package let phone: String?
    /// The code of a household's invitation, where registration needs one.
    package let invitation: String?

    package init(
        app: String? = nil, email: String?, password: String?, name: String?, dateOfBirth: String? = nil,
        phone: String? = nil, invitation: String? = nil
    ) {
        self.app = app
        self.email = email
        self.password = password
        self.name = name
        self.dateOfBirth = dateOfBirth
        self.phone = phone
        self.invitation = invitation
    }
}
