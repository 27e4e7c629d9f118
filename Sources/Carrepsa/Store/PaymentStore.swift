import Accounts
import Kernel
import Ledger
import Storage

/// The table `carrepsa_payment`: the notes of payments that administrators recorded. The ledger has the amounts, which
/// are repeated here for the list.
enum PaymentStore {
    static func insert(_ payment: RecordedPayment, of person: PersonID, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO carrepsa_payment (transfer_id, account_id, recorded_by, kind, amount, note, at)
            VALUES (
                \(payment.id), \(person), \(payment.recordedBy), \(payment.kind.rawValue), \(payment.amount),
                \(payment.note), \(payment.at)
            )
            """
        )
    }

    /// Returns a person's latest payments, the newest first.
    static func latest(of person: PersonID, limit: Int, in tx: Transaction) throws -> [RecordedPayment] {
        try tx.rows(
            """
            SELECT p.transfer_id, p.at, p.kind, p.amount, p.note, p.recorded_by, a.name, r.id AS request
            FROM carrepsa_payment p LEFT JOIN account a ON a.id = p.recorded_by
            LEFT JOIN carrepsa_payout_request r ON r.account_id = p.account_id AND r.transfer_id = p.transfer_id
            WHERE p.account_id = \(person) ORDER BY p.transfer_id DESC LIMIT \(limit)
            """
        ).compactMap { row in
            guard let kind = PaymentKind(rawValue: try row.get("kind")) else { return nil }
            return RecordedPayment(
                id: try row.get("transfer_id"), at: try row.get("at"), kind: kind, amount: try row.get("amount"),
                note: try row.get("note"), recordedBy: try row.get("recorded_by"), recorderName: try row.get("name"),
                request: try row.get("request"))
        }
    }

    /// Returns the notes of transfers; omits transfers that no administrator recorded in the app.
    static func notes(of transfers: [ID<Transfer>], in tx: Transaction) throws -> [ID<Transfer>: String] {
        guard !transfers.isEmpty else { return [:] }
        return try tx.rows("SELECT transfer_id, note FROM carrepsa_payment WHERE transfer_id IN \(list: transfers)")
            .reduce(into: [:]) { $0[try $1.get("transfer_id")] = try $1.get("note") }
    }
}
