/// The text format of a transfer's postings in its row: one line per posting in the order of the account keys, with
/// account, sequence, amount and balance after the posting.
enum PostingsText {
    static func write(_ legs: [RecordedPosting]) -> String {
        var text = ""
        text.reserveCapacity(legs.count * 80)
        for leg in legs {
            if !text.isEmpty { text += "\n" }
            text += line(leg)
        }
        return text
    }

    static func line(_ leg: RecordedPosting) -> String {
        "\(leg.account.text) \(leg.sequence) \(leg.amount) \(leg.balanceAfter)"
    }

    /// Parses the output of ``write(_:)``; returns `nil` for any other text.
    static func read(_ text: String) -> [RecordedPosting]? {
        var legs: [RecordedPosting] = []
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map { Substring($0) }
            guard words.count == 4, let sequence = Int64(words[1]), let amount = Int64(words[2]),
                let balance = Int64(words[3])
            else { return nil }
            legs.append(
                RecordedPosting(
                    account: LedgerAccountKey(stored: String(words[0])), sequence: sequence, amount: amount,
                    balanceAfter: balance
                )
            )
        }
        return write(legs) == text ? legs : nil
    }
}
