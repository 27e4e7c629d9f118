import Kernel

extension FieldErrors<AccountMessage> {
    mutating func email(_ typed: String?, field: String = "email") -> EmailAddress? {
        guard let typed, !typed.allSatisfy(\.isWhitespace) else {
            refuse(field, .emailMissing)
            return nil
        }
        guard let email = EmailAddress(typed) else {
            refuse(field, .emailMalformed)
            return nil
        }
        return email
    }

    mutating func name(_ typed: String?, field: String = "name") -> String? {
        do throws(TextValidation.Failure) {
            return try DisplayName(typed ?? "").text
        } catch {
            switch error {
            case .empty: refuse(field, .nameMissing)
            case .tooLong: refuse(field, .nameTooLong)
            case .tooManyBytes: refuse(field, .nameTooManyBytes)
            case .controlCharacter: refuse(field, .nameUnreadable)
            }
            return nil
        }
    }

    mutating func chosenPassword(_ typed: String?, field: String = "password") -> Password? {
        do throws(AccountRuleViolation) {
            return try Password(choosing: typed ?? "")
        } catch {
            refuse(field, error.message)
            return nil
        }
    }

    mutating func checkedPassword(_ typed: String?, field: String = "password") -> Password? {
        do throws(AccountRuleViolation) {
            return try Password(checking: typed ?? "")
        } catch {
            refuse(field, error.message)
            return nil
        }
    }

    /// Returns `nil` for an absent or empty text, which is an error only where the field is required.
    mutating func dateOfBirth(_ typed: String?, isRequired: Bool, now: Instant) -> String? {
        guard let typed, !typed.allSatisfy(\.isWhitespace) else {
            if isRequired { refuse("dateOfBirth", .dateOfBirthMissing) }
            return nil
        }
        guard let date = BirthDate(typed, now: now) else {
            refuse("dateOfBirth", .dateOfBirthInvalid)
            return nil
        }
        return date.text
    }

    /// Returns `nil` for an absent or empty text, which is an error only where the field is required.
    mutating func phone(_ typed: String?, isRequired: Bool) -> String? {
        guard let typed, !typed.allSatisfy(\.isWhitespace) else {
            if isRequired { refuse("phone", .phoneMissing) }
            return nil
        }
        guard let phone = PhoneNumber(typed) else {
            refuse("phone", .phoneInvalid)
            return nil
        }
        return phone.text
    }
}

extension AppError {
    init(_ code: Code, _ message: AccountMessage, field: String? = nil) {
        let fields = field.map { [$0: message.text] } ?? [:]
        self.init(code, message.text, fields: fields)
    }
}
