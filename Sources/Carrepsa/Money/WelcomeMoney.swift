import Kernel
import Ledger
import Notifications
import Storage

/// The part of wallets and escrows that comes from welcome amounts. It pays rewards and deposits, stays welcome money
/// for the person who gets it, and is never paid out (docs/decisions/0093).
///
/// The ledger has an account of this part beside a wallet, and one beside an escrow for each of reward and deposit. The
/// transfer that moves the money has the postings of the part, so that both are verified together. Accounts are opened
/// when they are needed: none means no welcome money.
struct WelcomeMoney: Sendable {
    let ledger: Ledger
    let currency: Currency

    private var source: LedgerAccountKey { CarrepsaLedgerAccounts.welcomeSource(currency) }

    // MARK: Wallets

    /// Returns the balance of a wallet, and the part of it that isn't paid out, in minor units.
    func amounts(of person: PersonID, in tx: Transaction) throws -> (balance: Int64, welcome: Int64) {
        let (wallet, part) = (CarrepsaLedgerAccounts.wallet(person), CarrepsaLedgerAccounts.welcome(person))
        let balances = try ledger.balances(of: [wallet, part], in: tx)
        let balance = balances[wallet] ?? 0
        let welcome = try balances[part] ?? unrecorded(of: person, in: tx)
        return (balance, min(balance, welcome))
    }

    /// Returns the postings that credit a welcome amount. Opens the accounts.
    func credit(_ amount: Int64, to person: PersonID, now: Instant, in tx: Transaction) throws -> [Leg] {
        try openSource(now: now, in: tx)
        let part = CarrepsaLedgerAccounts.welcome(person)
        try ledger.open(part, unit: currency.code, now: now, in: tx)
        return Self.legs(
            amount, from: CarrepsaLedgerAccounts.outside(currency), to: CarrepsaLedgerAccounts.wallet(person))
            + Self.legs(amount, from: source, to: part)
    }

    /// Whether the wallet got a welcome amount from a server of an earlier version, which recorded no part.
    func isUnrecorded(_ person: PersonID, in tx: Transaction) throws -> Bool {
        guard try !ledger.exists(CarrepsaLedgerAccounts.welcome(person), in: tx) else { return false }
        return try credited(to: person, in: tx) != nil
    }

    /// Records the part of a wallet of an earlier version: what is left of the balance, at most the welcome amount.
    func record(of person: PersonID, now: Instant, in tx: Transaction) throws {
        let part = CarrepsaLedgerAccounts.welcome(person)
        try ledger.lock([CarrepsaLedgerAccounts.wallet(person)], in: tx)
        guard try isUnrecorded(person, in: tx) else { return }
        let amount = try amounts(of: person, in: tx).welcome
        try openSource(now: now, in: tx)
        try ledger.open(part, unit: currency.code, now: now, in: tx)
        guard amount > 0 else { return }
        let id = Self.id(.welcomePart, person, now)
        try ledger.post(
            Transfer(
                id: id, kind: TransferKind.welcomePart.rawValue, at: now, amount: amount, from: source, to: part),
            in: tx)
    }

    /// Takes the welcome money back from the wallet of an account that is deleted. It must be the whole balance.
    func takeBack(from person: PersonID, now: Instant, in tx: Transaction) throws {
        try record(of: person, now: now, in: tx)
        let amount = try amounts(of: person, in: tx).welcome
        guard amount > 0 else { return }
        let kind = TransferKind.welcomeReturn.rawValue
        let legs =
            Self.legs(
                amount, from: CarrepsaLedgerAccounts.wallet(person), to: CarrepsaLedgerAccounts.outside(currency))
            + Self.legs(amount, from: CarrepsaLedgerAccounts.welcome(person), to: source)
        try ledger.post(
            Transfer(id: Self.id(.welcomeReturn, person, now), kind: kind, at: now, legs: legs), in: tx)
    }

    /// The welcome amount that the person got; `nil` for none.
    func credited(to person: PersonID, in tx: Transaction) throws -> Int64? {
        let transfer = try ledger.transfer(person.cast(to: Transfer.self), in: tx)
        guard let transfer, transfer.kind == TransferKind.welcome.rawValue else { return nil }
        return transfer.legs.first { $0.account == CarrepsaLedgerAccounts.wallet(person) }?.amount
    }

    private func unrecorded(of person: PersonID, in tx: Transaction) throws -> Int64 {
        try credited(to: person, in: tx) ?? 0
    }

    // MARK: Packages

    /// Returns the postings of the part of welcome money in payments of a package, and opens the accounts that they
    /// need. A wallet pays with welcome money first. What comes back from an escrow contains the welcome money first.
    func legs(
        of payments: [PaidAmount], _ package: ID<Package>, owner: PersonID?, carrier: PersonID?, now: Instant,
        in tx: Transaction
    ) throws -> [Leg] {
        let people = [owner, carrier].compactMap(\.self)
        // Locked, so that no other transaction changes the parts of these wallets.
        try ledger.lock(people.map(CarrepsaLedgerAccounts.wallet), in: tx)
        let known =
            people.map(CarrepsaLedgerAccounts.welcome)
            + PackageMoney.allCases.map { CarrepsaLedgerAccounts.welcome($0, of: package) }
        var before = try ledger.balances(of: known, in: tx)
        for person in people {
            let part = CarrepsaLedgerAccounts.welcome(person)
            guard try before[part] == nil && isUnrecorded(person, in: tx) else { continue }
            try record(of: person, now: now, in: tx)
            before[part] = try amounts(of: person, in: tx).welcome
        }
        guard before.values.contains(where: { $0 > 0 }) else { return [] }
        func account(_ party: LedgerParty, _ money: PackageMoney) -> LedgerAccountKey? {
            switch party {
            case .owner: owner.map(CarrepsaLedgerAccounts.welcome)
            case .carrier: carrier.map(CarrepsaLedgerAccounts.welcome)
            case .escrow: CarrepsaLedgerAccounts.welcome(money, of: package)
            }
        }
        var after = before
        for payment in payments.filter(\.isReturn) + payments.filter({ !$0.isReturn }) {
            guard let from = account(payment.from, payment.money), let to = account(payment.to, payment.money) else {
                continue
            }
            let part = min(payment.amount, after[from] ?? 0)
            guard part > 0 else { continue }
            after[from, default: 0] -= part
            after[to, default: 0] += part
        }
        for account in after.keys where before[account] == nil {
            try ledger.open(account, unit: currency.code, now: now, in: tx)
        }
        return after.compactMap { account, amount in
            let change = amount - (before[account] ?? 0)
            return change == 0 ? nil : Leg(account: account, amount: change)
        }
    }

    private func openSource(now: Instant, in tx: Transaction) throws {
        guard try !ledger.exists(source, in: tx) else { return }
        try ledger.open(source, unit: currency.code, mayOverdraw: true, now: now, in: tx)
    }

    /// Derives the id of a transfer that the ledger posts once for a person.
    private static func id(_ kind: TransferKind, _ person: PersonID, _ now: Instant) -> ID<Transfer> {
        ID<Notice>(about: [kind.rawValue, person.description], at: now).cast(to: Transfer.self)
    }

    private static func legs(_ amount: Int64, from: LedgerAccountKey, to: LedgerAccountKey) -> [Leg] {
        [Leg(account: from, amount: -amount), Leg(account: to, amount: amount)]
    }
}

/// A payment of a transition with its amount.
struct PaidAmount: Sendable {
    let money: PackageMoney
    let from: LedgerParty
    let to: LedgerParty
    /// Minor units, 0 or more.
    let amount: Int64

    /// Whether the money comes back to the one who paid it.
    var isReturn: Bool { to == (money == .reward ? .owner : .carrier) }
}

extension Transfer {
    /// Returns the transfer with more postings.
    func adding(_ legs: [Leg]) -> Transfer {
        Transfer(
            id: id, kind: kind, subject: subject, at: at, reverses: reverses, legs: self.legs + legs)
    }
}
