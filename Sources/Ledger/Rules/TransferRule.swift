import Kernel

/// The rules for a transfer that don't depend on balances.
enum TransferRule {
    /// Validates the format and the sum. Returns the postings in the order of their account keys.
    static func check(_ transfer: Transfer) throws(LedgerError) -> [Leg] {
        guard transfer.legs.count >= 2 else { throw .tooFewLegs }
        guard transfer.legs.count <= Limits.ledgerPostings else { throw .tooManyLegs }
        guard isKind(transfer.kind) else { throw .malformed("kind") }
        if let subject = transfer.subject {
            guard !subject.isEmpty, subject.utf8.count <= Limits.ledgerSubjectCharacters, !subject.utf8.contains(0)
            else { throw .malformed("subject") }
        }
        // The sum of sixteen 64-bit amounts fits into 128 bits.
        var sum: Int128 = 0
        for leg in transfer.legs {
            guard leg.amount != 0 else { throw .emptyLeg }
            guard leg.amount != .min else { throw .overflow }
            sum += Int128(leg.amount)
        }
        guard sum == 0 else { throw .unbalanced }
        let legs = sorted(transfer.legs)
        for index in legs.indices.dropFirst() where legs[index].account == legs[index - 1].account {
            throw .accountTwice(legs[index].account)
        }
        return legs
    }

    /// Returns the account's next posting, with its sequence and balance.
    static func posting(_ leg: Leg, on account: AccountRow) throws(LedgerError) -> RecordedPosting {
        let (balance, hasOverflow) = account.balance.addingReportingOverflow(leg.amount)
        guard !hasOverflow, account.movements < .max else { throw .overflow }
        guard balance >= 0 || leg.amount > 0 || account.mayOverdraw else { throw .insufficientFunds(leg.account) }
        return RecordedPosting(
            account: leg.account, sequence: account.movements + 1, amount: leg.amount, balanceAfter: balance
        )
    }

    static func isKind(_ kind: String) -> Bool {
        (1...Limits.ledgerKindCharacters).contains(kind.utf8.count)
            && kind.utf8.allSatisfy { ASCII.isLower($0) || $0 == ASCII.hyphen }
    }

    static func isUnit(_ unit: String) -> Bool {
        (1...20).contains(unit.utf8.count) && unit.utf8.allSatisfy { ASCII.isLower($0) || ASCII.isUpper($0) }
    }

    static func isMirror(_ legs: [Leg], of posted: [RecordedPosting]) -> Bool {
        legs.count == posted.count
            && zip(legs, posted).allSatisfy { $0.account == $1.account && $0.amount == 0 &- $1.amount }
    }

    private static func sorted(_ legs: [Leg]) -> [Leg] {
        if legs.count == 2 { return legs[1].account < legs[0].account ? [legs[1], legs[0]] : legs }
        return legs.sorted { $0.account < $1.account }
    }
}
