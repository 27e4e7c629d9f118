import Kernel
import Ledger

extension Transition {
    /// Returns the package after the transition.
    /// - Parameters:
    ///   - person: the actor; `nil` for the clock.
    ///   - note: the reason or statement, if the action has one.
    func applied(to package: StoredPackage, by person: PersonID?, note: String?, now: Instant) -> StoredPackage {
        var after = package
        after.state = next
        after.version += 1
        for payment in pendingPayments(for: package) where payment.money == .reward {
            after.isRewardHeld = payment.to == .escrow
        }
        switch action {
        case .accept:
            after.carrier = person
            after.acceptedAt = now
        case .cancelAcceptance, .expire:
            after.carrier = nil
            after.acceptedAt = nil
        case .confirmPickup: after.pickedUpAt = now
        case .reportDelivery: after.deliveryReportedAt = now
        case .requestCancellation: after.cancellationRequestedBy = role
        case .retractCancellation: after.cancellationRequestedBy = nil
        case .dispute, .escalate:
            after.disputedAt = now
            after.disputedBy = role
            after.disputeReason = note
        case .addStatement:
            if role == .owner { after.ownerStatements += 1 } else { after.carrierStatements += 1 }
        case .withdraw:
            after.withdrawnAt = now
            // A picture in use can't be deleted, and a withdrawn package no longer shows it.
            after.pictureID = nil
        case .create, .confirmDelivery, .agreeCancellation, .decideDelivered, .decideRefunded, .decideLost: break
        }
        if next.isFinished { after.finishedAt = now }
        return after
    }

    /// Returns the payments whose amount isn't in its target account yet.
    func pendingPayments(for package: StoredPackage) -> [Payment] {
        payments.filter { payment in
            guard payment.money == .reward else { return true }
            return (payment.from == .escrow) == package.isRewardHeld
        }
    }

    /// Returns the ledger postings of the transition: at most one per account, none with the amount 0.
    /// - Parameter carrier: the carrier before or after the transition.
    func legs(for package: StoredPackage, carrier: PersonID?) -> [Leg] {
        var sums: [LedgerParty: Int64] = [:]
        for payment in pendingPayments(for: package) {
            let amount = payment.money == .reward ? package.reward : package.moneyLock
            sums[payment.from, default: 0] -= amount
            sums[payment.to, default: 0] += amount
        }
        return LedgerParty.allCases.compactMap { party in
            guard let amount = sums[party], amount != 0, let account = account(party, package, carrier) else {
                return nil
            }
            return Leg(account: account, amount: amount)
        }
    }

    /// Returns the transfer of the transition; `nil` if it moves no money.
    /// - Parameter carrier: the carrier before or after the transition.
    func transfer(_ id: ID<Transfer>, for package: StoredPackage, carrier: PersonID?, now: Instant) -> Transfer? {
        let legs = legs(for: package, carrier: carrier)
        guard !legs.isEmpty else { return nil }
        return Transfer(
            id: id, kind: TransferKind(action).rawValue, subject: package.id.description, at: now, legs: legs)
    }

    private func account(_ party: LedgerParty, _ package: StoredPackage, _ carrier: PersonID?) -> LedgerAccountKey? {
        switch party {
        case .owner: package.owner.map(CarrepsaLedgerAccounts.wallet)
        case .carrier: carrier.map(CarrepsaLedgerAccounts.wallet)
        case .escrow: CarrepsaLedgerAccounts.escrow(package.id)
        }
    }

    /// Returns the parties whose wallet changes, in its balance or its amount in escrow.
    func partiesWithChangedWallet(_ package: StoredPackage) -> Set<LedgerParty> {
        var parties: Set<LedgerParty> = []
        for payment in pendingPayments(for: package) {
            parties.formUnion([payment.from, payment.to, payment.money == .reward ? .owner : .carrier])
        }
        return parties.subtracting([.escrow])
    }
}
