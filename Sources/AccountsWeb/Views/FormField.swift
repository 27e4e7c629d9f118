import Accounts
import Kernel
import WebCore

/// The view of one form field.
struct FormField: Sendable {
    private static let secondsPerDay: Int64 = 24 * 60 * 60

    let id: String
    let name: String
    let label: String
    /// The `type` of the input element.
    let type: String
    let value: String
    let autocomplete: String
    let hint: String?
    let error: String?
    /// Whether the typed password was lost because of an error in another field. Scripts fill it in again.
    let mustRetype: Bool
    /// The constraints that a browser can check. A marked field stays marked until they are met.
    let isRequired: Bool
    /// A regular expression; `nil` for any text.
    let pattern: String?
    /// The minimum number of characters; `nil` for any number.
    let fewest: String?
    /// The earliest date; `nil` for other types.
    let earliest: String?
    /// The latest date.
    let latest: String
    /// Whether the page starts with the focus in it.
    var isFocused = false

    private init(
        _ name: String, label: String, type: String, value: String, autocomplete: String, hint: String?,
        error: FormErrors, isRequired: Bool = true, pattern: String? = nil, fewest: Int? = nil,
        earliest: String? = nil, latest: String = "", retypeMessage: String? = nil
    ) {
        self.isRequired = isRequired
        self.pattern = pattern
        self.fewest = fewest.map(String.init)
        self.earliest = earliest
        self.latest = latest
        id = name
        self.name = name
        self.label = label
        self.type = type
        self.value = value
        self.autocomplete = autocomplete
        self.hint = hint
        mustRetype = retypeMessage != nil && !error.fields.isEmpty && error[name] == nil
        self.error = mustRetype ? retypeMessage : error[name]
    }

    static func email(
        _ t: Translator, value: String, errors: FormErrors, autocomplete: String = "username"
    ) -> FormField {
        FormField(
            "email", label: t("Email"), type: "email", value: value, autocomplete: autocomplete, hint: nil,
            error: errors,
            pattern: #"[^@\s]+@[^@\s]+\.[^@\s]+"#
        )
    }

    /// The email field of sign-in, where browsers also suggest passkeys.
    static func signInEmail(_ t: Translator, value: String, errors: FormErrors) -> FormField {
        email(t, value: value, errors: errors, autocomplete: "username webauthn")
    }

    /// The field for the current password. The response never contains the typed password.
    static func password(_ t: Translator, name: String = "password", label: String, errors: FormErrors)
        -> FormField
    {
        FormField(
            name, label: label, type: "password", value: "", autocomplete: "current-password", hint: nil, error: errors,
            retypeMessage: t("Enter your password again.")
        )
    }

    /// The field for the password beside a new email. It isn't required for other changes.
    static func proof(_ t: Translator, errors: FormErrors) -> FormField {
        FormField(
            "password", label: t("Your password"), type: "password", value: "", autocomplete: "current-password",
            hint: t("Only needed to change the email address."), error: errors, isRequired: false
        )
    }

    /// The field for a new password.
    static func newPassword(_ t: Translator, label: String, errors: FormErrors) -> FormField {
        FormField(
            "password", label: label, type: "password", value: "", autocomplete: "new-password",
            hint: t(
                "{least} to {most} characters",
                [
                    "least": String(Limits.passwordCharacters.lowerBound),
                    "most": String(Limits.passwordCharacters.upperBound),
                ]),
            error: errors, fewest: Limits.passwordCharacters.lowerBound, retypeMessage: t("Enter your password again.")
        )
    }

    static func name(_ t: Translator, value: String, errors: FormErrors) -> FormField {
        FormField(
            "name", label: t("Name"), type: "text", value: value, autocomplete: "name", hint: nil, error: errors
        )
    }

    /// The field for the one-time code of the set-up.
    static func setupCode(_ t: Translator, value: String, errors: FormErrors) -> FormField {
        FormField(
            "code", label: t("Code from the server’s log"), type: "text", value: value, autocomplete: "one-time-code",
            hint: t("The command “homeward setup-code” prints a new one."), error: errors)
    }

    static func phone(
        _ t: Translator, value: String, errors: FormErrors, isRequired: Bool = true
    ) -> FormField {
        FormField(
            "phone", label: t("Phone"), type: "tel", value: value, autocomplete: "tel",
            hint: t("Best with country code, such as +49 151 23456789"), error: errors,
            isRequired: isRequired
        )
    }

    static func dateOfBirth(
        _ t: Translator, value: String, errors: FormErrors, now: Instant, isRequired: Bool = true
    ) -> FormField {
        FormField(
            "dateOfBirth", label: t("Date of birth"), type: "date", value: value, autocomplete: "bday", hint: nil,
            error: errors, isRequired: isRequired, earliest: "1900-01-01",
            latest: String(now.adding(seconds: -secondsPerDay).rfc3339.prefix(10))
        )
    }
}

/// The typed values of a form, for showing it again.
struct ProfileFormState: Sendable {
    let name: String
    let email: String
    let phone: String
    let dateOfBirth: String

    static let nothing = ProfileFormState(Fields.none)

    init(_ fields: Fields) {
        name = fields.typed("name")
        email = fields.typed("email")
        phone = fields.typed("phone")
        dateOfBirth = fields.typed("dateOfBirth")
    }

    init(_ account: Account) {
        name = account.name
        email = account.email ?? ""
        phone = account.phone ?? ""
        dateOfBirth = account.dateOfBirth ?? ""
    }
}
