package import Kernel

/// The content of a QR code for a SEPA credit transfer, which banks' apps read: version 002 of the European Payments
/// Council's guideline EPC069-12.
package enum EPCCode {
    /// Returns the content; `nil` for another currency than euros, and for an amount that such a code can't have.
    /// - Parameter amount: Minor units; `nil` leaves the amount to the payer.
    package static func text(
        to account: BankAccount, amount: Int64?, reference: String, currency: Currency
    ) -> String? {
        guard currency == .euro else { return nil }
        if let amount, !(1...Limits.epcAmountMinor ~= amount) { return nil }
        let lines = [
            "BCD", "002", "1", "SCT", account.bic?.text ?? "", account.holder, account.iban.text,
            amount.map { currency.code + currency.decimal($0) } ?? "", "", "", reference,
        ]
        return lines.joined(separator: "\n")
    }
}
