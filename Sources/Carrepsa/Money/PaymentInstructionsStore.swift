import Kernel
import Storage

/// The table `carrepsa_payment_instructions`.
enum PaymentInstructionsStore {
    static func instructions(in tx: Transaction) throws -> PaymentInstructions {
        let row = try tx.row(
            """
            SELECT top_up_text, payout_text, account_holder, iban, bic, version FROM carrepsa_payment_instructions
            WHERE id = 1
            """
        )
        guard let row else { return .none }
        let (holder, iban, bic) = (
            try row.get("account_holder", as: String?.self), try row.get("iban", as: String?.self).flatMap(IBAN.init),
            try row.get("bic", as: String?.self).flatMap(BIC.init)
        )
        let account: BankAccount? =
            if let holder, let iban { BankAccount(holder: holder, iban: iban, bic: bic) } else { nil }
        return PaymentInstructions(
            topUpText: try row.get("top_up_text"), payoutText: try row.get("payout_text"), bankAccount: account,
            version: try row.get("version"))
    }

    /// Stores the next version.
    /// - Returns: Whether the stored version was the one before.
    static func set(_ new: PaymentInstructions, now: Instant, in tx: Transaction) throws -> Bool {
        let account = new.bankAccount
        let changed = try tx.executeCounting(
            """
            INSERT INTO carrepsa_payment_instructions (
                id, top_up_text, payout_text, account_holder, iban, bic, version, changed_at
            ) VALUES (
                1, \(new.topUpText), \(new.payoutText), \(account?.holder), \(account?.iban.text),
                \(account?.bic?.text), \(new.version), \(now)
            ) ON CONFLICT (id) DO UPDATE SET top_up_text = excluded.top_up_text, payout_text = excluded.payout_text,
                account_holder = excluded.account_holder, iban = excluded.iban, bic = excluded.bic,
                version = excluded.version, changed_at = excluded.changed_at
            WHERE carrepsa_payment_instructions.version = excluded.version - 1
            """
        )
        return changed == 1
    }
}
