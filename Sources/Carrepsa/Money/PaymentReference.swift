import Kernel
import Storage

/// The short text by which an administrator recognises whose transfer arrived. It has no meaning, and stays the same.
enum PaymentReference {
    /// Crockford's base 32: without I, L, O and U, which are misread.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    static func make(random: any RandomSource) -> String {
        let bytes = random.bytes(Limits.paymentReferenceCharacters)
        return String(bytes.map { alphabet[Int($0) % alphabet.count] })
    }

    /// In two groups: `HW-7K2M-9QXA`.
    static func written(_ reference: String) -> String {
        "HW-\(reference.prefix(reference.count / 2))-\(reference.dropFirst(reference.count / 2))"
    }

    /// Returns the stored form of a typed reference; `nil` if it isn't one.
    static func read(_ typed: String) -> String? {
        var text = typed.uppercased().filter { $0.isLetter || $0.isNumber }
        if text.hasPrefix("HW"), text.count == Limits.paymentReferenceCharacters + 2 { text.removeFirst(2) }
        guard text.count == Limits.paymentReferenceCharacters, text.allSatisfy(alphabet.contains) else { return nil }
        return text
    }
}

/// The table `carrepsa_payment_reference`.
enum PaymentReferenceStore {
    static func reference(of person: PersonID, in tx: Transaction) throws -> String? {
        try tx.row("SELECT reference FROM carrepsa_payment_reference WHERE account_id = \(person)")?.get("reference")
    }

    static func person(of reference: String, in tx: Transaction) throws -> PersonID? {
        try tx.row("SELECT account_id FROM carrepsa_payment_reference WHERE reference = \(reference)")?
            .get("account_id")
    }

    /// Stores a reference, unless the person has one or another person has the same.
    static func insert(_ reference: String, of person: PersonID, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO carrepsa_payment_reference (account_id, reference) VALUES (\(person), \(reference))
            ON CONFLICT DO NOTHING
            """
        )
    }
}
