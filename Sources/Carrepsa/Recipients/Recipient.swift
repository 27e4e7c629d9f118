import Accounts
package import Kernel

/// The person who receives a package. They have no account.
package struct Recipient: Sendable, Hashable {
    package let name: String
    /// `nil` if the email is known.
    package let phone: String?
    package let email: String?
    /// The exact address. The carrier sees it after the acceptance.
    package let address: String?
    /// When and where to meet, in the carrier's or the owner's words.
    package let meeting: String?
    /// Where to leave the package, in the recipient's words.
    package let leaveAt: String?
    /// When the page closes; `nil` before the end of the delivery.
    package let endsAt: Instant?
    /// Increases by one with each change.
    package let version: Int64
}

/// The recipient as owner or carrier see them.
package struct RecipientDetails: Sendable {
    package let package: Package
    /// The viewer's role: owner or carrier.
    package let role: PackageRole
    /// `nil` if the owner entered none.
    package let recipient: Recipient?
    /// The secret in the address of the recipient's page; `nil` for the carrier, and if the link was revoked.
    package let secret: String?
    /// Whether the recipient refused the package.
    package let isRefused: Bool
}

/// A recipient that isn't validated yet.
package struct RecipientInput: Sendable {
    let name: String?
    let contact: String?
    let address: String?

    /// - Parameter contact: a phone number or an email address.
    package init(name: String?, contact: String?, address: String?) {
        self.name = name
        self.contact = contact
        self.address = address
    }

    /// - Throws: `AppError.invalid` at `name`, `contact` and `address`.
    package func check() throws { _ = try validated() }

    func validated() throws -> ValidRecipient {
        var problems = FieldErrors<CarrepsaMessage>()
        let name = problems.name(
            self.name, "name", missing: .recipientNameMissing, tooLong: .recipientNameTooLong,
            unreadable: .textUnreadable)
        let typed = contact ?? ""
        let email = EmailAddress(typed)
        let phone = PhoneNumber(typed)
        if typed.allSatisfy(\.isWhitespace) {
            problems.refuse("contact", .contactMissing)
        } else if email == nil, phone == nil {
            problems.refuse("contact", .contactInvalid)
        }
        let address = RecipientText.read(address, "address", &problems)
        try problems.finish()
        return ValidRecipient(
            name: name ?? "", phone: email == nil ? phone?.text : nil, email: email?.text, address: address)
    }
}

struct ValidRecipient: Sendable {
    let name: String
    let phone: String?
    let email: String?
    let address: String?
}

/// Texts about where a package is handed over.
enum RecipientText {
    /// Returns the text; `nil` if it is blank or refused.
    static func read(_ typed: String?, _ field: String, _ problems: inout FieldErrors<CarrepsaMessage>) -> String? {
        problems.lines(
            typed, field, characters: Limits.recipientTextCharacters, bytes: Limits.recipientTextBytes,
            tooLong: .recipientTextTooLong)
    }

    /// - Throws: `AppError.invalid` at `field`.
    static func validated(_ typed: String?, _ field: String) throws -> String? {
        var problems = FieldErrors<CarrepsaMessage>()
        let text = read(typed, field, &problems)
        try problems.finish()
        return text
    }
}

/// What the recipient's page shows: no amounts, and of people only first names.
package struct DeliveryView: Sendable {
    package let title: String
    package let from: String
    package let to: String
    package let state: PackageState
    /// `nil` if the account was deleted.
    package let ownerName: String?
    /// `nil` without a carrier.
    package let carrierName: String?
    package let recipient: Recipient
    /// Whether the carrier says that it has arrived.
    package let isReported: Bool
    package let isRefused: Bool
    /// The code that proves the delivery; `nil` unless the package is on its way.
    package let code: String?
    /// Whether the recipient can refuse it.
    package let canRefuse: Bool
    /// Whether the recipient can say where to leave it.
    package let canInstruct: Bool
    /// Proves that the server has shown this page. The page sends it when it asks again.
    package let pageMark: String
}

/// A recipient in the data export of the owner.
struct ExportedRecipient: JSONWritable, Sendable {
    let package: ID<Package>
    private let title: String
    private let recipient: Recipient

    init(_ row: (package: ID<Package>, title: String, recipient: Recipient)) {
        package = row.package
        title = row.title
        recipient = row.recipient
    }

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("package", package)
            json.member("title", title)
            json.member("name", recipient.name)
            json.member("phone", recipient.phone)
            json.member("email", recipient.email)
            json.member("address", recipient.address)
            json.member("meeting", recipient.meeting)
            json.member("leaveAt", recipient.leaveAt)
        }
    }
}
