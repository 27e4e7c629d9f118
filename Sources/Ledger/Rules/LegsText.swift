/// A transfer's legs as its row keeps them: a line a leg, by the order of the accounts, with the account, which
/// movement of the account it is, the amount and the balance that it led to.
enum LegsText {
    static func write(_ legs: [PostedLeg]) -> String {
        var text = ""
        text.reserveCapacity(legs.count * 80)
        for leg in legs {
            if !text.isEmpty { text += "\n" }
            text += line(leg)
        }
        return text
    }

    static func line(_ leg: PostedLeg) -> String {
        "\(leg.account.text) \(leg.sequence) \(leg.amount) \(leg.balanceAfter)"
    }

    /// Reads what ``write(_:)`` wrote; `nil` for anything that it wouldn't have written.
    static func read(_ text: String) -> [PostedLeg]? {
        var legs: [PostedLeg] = []
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map { Substring($0) }
            guard words.count == 4, let sequence = Int64(words[1]), let amount = Int64(words[2]),
                let balance = Int64(words[3])
            else { return nil }
            legs.append(
                PostedLeg(
                    account: LedgerAccountKey(stored: String(words[0])), sequence: sequence, amount: amount,
                    balanceAfter: balance
                )
            )
        }
        return write(legs) == text ? legs : nil
    }
}
