import Kernel

/// The bank account to which people transfer money.
package struct BankAccount: Sendable, Hashable {
    package let holder: String
    package let iban: IBAN
    package let bic: BIC?
}

/// How money comes into the wallets of this server and goes out of them, in the administrator's words.
package struct PaymentInstructions: Sendable, Hashable {
    /// `nil` if the administrator wrote none.
    package let topUpText: String?
    /// `nil` if the administrator wrote none.
    package let payoutText: String?
    /// `nil` if people can't transfer money to an account.
    package let bankAccount: BankAccount?
    /// 0 before the first change.
    package let version: Int64

    static let none = PaymentInstructions(topUpText: nil, payoutText: nil, bankAccount: nil, version: 0)
}

/// Instructions that aren't validated yet; `nil` and blank text mean none.
package struct PaymentInstructionsInput: Sendable {
    let topUpText: String?
    let payoutText: String?
    let accountHolder: String?
    let iban: String?
    let bic: String?

    package init(topUpText: String?, payoutText: String?, accountHolder: String?, iban: String?, bic: String?) {
        self.topUpText = topUpText
        self.payoutText = payoutText
        self.accountHolder = accountHolder
        self.iban = iban
        self.bic = bic
    }

    /// - Throws: `AppError.invalid` at `topUpText`, `payoutText`, `accountHolder`, `iban` and `bic`.
    package func check() throws { _ = try validated(version: 1) }

    func validated(version: Int64) throws -> PaymentInstructions {
        var problems = FieldErrors<CarrepsaMessage>()
        let topUpText = PaymentText.read(topUpText, "topUpText", &problems)
        let payoutText = PaymentText.read(payoutText, "payoutText", &problems)
        let account = bankAccount(&problems)
        try problems.finish()
        return PaymentInstructions(
            topUpText: topUpText, payoutText: payoutText, bankAccount: account, version: version)
    }

    private func bankAccount(_ problems: inout FieldErrors<CarrepsaMessage>) -> BankAccount? {
        func isBlank(_ text: String?) -> Bool { text?.allSatisfy(\.isWhitespace) ?? true }
        if isBlank(accountHolder), isBlank(iban), isBlank(bic) { return nil }
        var holder: String?
        do throws(TextValidation.Failure) {
            holder = try TextValidation.line(
                accountHolder ?? "", characters: Limits.accountHolderCharacters, bytes: Limits.accountHolderBytes)
        } catch {
            problems.refuse("accountHolder", error == .empty ? .accountHolderMissing : .accountHolderInvalid)
        }
        let number = IBAN(iban ?? "")
        if number == nil { problems.refuse("iban", .ibanInvalid) }
        let bank = isBlank(bic) ? nil : BIC(bic ?? "")
        if bank == nil, !isBlank(bic) { problems.refuse("bic", .bicInvalid) }
        guard let holder, let number else { return nil }
        return BankAccount(holder: holder, iban: number, bic: bank)
    }
}

/// Texts of several lines about payments.
enum PaymentText {
    /// Returns the text; `nil` if it is blank or refused.
    static func read(
        _ typed: String?, _ field: String, _ problems: inout FieldErrors<CarrepsaMessage>
    ) -> String? {
        problems.lines(
            typed, field, characters: Limits.paymentTextCharacters, bytes: Limits.paymentTextBytes,
            tooLong: .paymentTextTooLong)
    }
}
