import Accounts
import Kernel
import Storage

/// Adds to stored packages what a person sees: funding, possible actions and history.
struct PackageDetailsReader: Sendable {
    let walletAccounts: WalletAccounts

    /// Returns the package that a person opens, with its history.
    /// - Throws: `AppError.notFound` if the person may not see it.
    func visit(
        _ named: NamedPackage, by actor: Actor, now: Instant, in tx: Transaction
    ) throws -> PackageDetails {
        let viewer = try Viewer(
            actor.person, of: named.stored, isOperator: try AdministratorPolicy.isAdministrator(actor, in: tx),
            now: now, in: tx)
        guard viewer.isAllowed else { throw AppError.notFound }
        let history = try history(of: named.stored, for: viewer, in: tx)
        let proofs = try proofs(of: named.stored, for: viewer, in: tx)
        let contact = try MessageService.contact(about: named.stored, for: viewer.person, now: now, in: tx)
        let reviews = try ReviewService.reviews(of: named.stored, for: viewer.person, now: now, in: tx)
        return try details(
            named, for: viewer, history: history, proofs: proofs, contact: contact, reviews: reviews,
            recipient: try recipient(of: named.stored, for: viewer, in: tx), now: now, in: tx)
    }

    /// Returns the package after an action of the person, or after a repeated request. The person sees it even
    /// if they may no longer open it, but without the carrier.
    func result(
        _ named: NamedPackage, for person: PersonID, now: Instant, in tx: Transaction
    ) throws -> PackageDetails {
        let viewer = try Viewer(
            person, of: named.stored, isOperator: try PeopleStore.isOperator(person, in: tx), now: now, in: tx)
        var named = named
        if !viewer.isAllowed { named.hideCarrier() }
        return try details(named, for: viewer, history: [], proofs: [], now: now, in: tx)
    }

    /// Returns the packages of a list, newest first.
    /// - Parameters:
    ///   - past: `true` returns only finished packages, `false` only unfinished ones, `nil` both.
    ///   - start: the last package of the page before; `nil` for the first page.
    func packages(
        _ listing: PackageListing, of person: PersonID, filter: PackageList.Filter = .none, past: Bool? = nil,
        start: ID<Package>? = nil, limit: Int, now: Instant, in tx: Transaction
    ) throws -> [Package] {
        let rows = try PackageList.page(
            listing, of: person, filter: filter, past: past, start: start, limit: limit, now: now, in: tx)
        return try packages(rows, viewer: person, in: tx)
    }

    /// Adds whether the owners' balances cover rewards that aren't in escrow. Reads the balance of each owner once.
    /// - Parameter viewer: the reader, who sees the exact points of packages of which they are owner or carrier.
    func packages(_ rows: [NamedPackage], viewer: PersonID? = nil, in tx: Transaction) throws -> [Package] {
        var balances: [PersonID: Int64] = [:]
        return try rows.map { named in
            let stored = named.stored
            var isCovered = false
            if !stored.isRewardHeld, !stored.state.isFinished, let owner = stored.owner {
                let balance = try balances[owner] ?? walletAccounts.balance(of: owner, in: tx)
                balances[owner] = balance
                isCovered = balance >= stored.reward
            }
            return stored.package(owner: named.owner, carrier: named.carrier, funded: isCovered, viewer: viewer)
        }
    }

    func package(_ named: NamedPackage, viewer: PersonID? = nil, in tx: Transaction) throws -> Package {
        try packages([named], viewer: viewer, in: tx)[0]
    }

    private func details(
        _ named: NamedPackage, for viewer: Viewer, history: [PackageHistoryEntry], proofs: [PackageProof],
        contact: PackageContact? = nil, reviews: PackageReviews? = nil, recipient: Recipient? = nil, now: Instant,
        in tx: Transaction
    ) throws -> PackageDetails {
        let package = try package(named, viewer: viewer.person, in: tx)
        let offers = DeliveryLifeCycle.offers(
            named.stored, to: viewer.role, isOperator: viewer.mayDecide, now: now)
        var blocked: [PackageAction: BlockReason] = [:]
        var balance: Int64?
        for offer in offers {
            switch offer.obstacle {
            case .beforeDeadline?: blocked[offer.action] = .deadlinePassed
            case .code?: blocked[offer.action] = .codeNeeded
            case .photos?: blocked[offer.action] = .photosNeeded
            default:
                guard offer.action == .accept else { continue }
                if try AcceptanceLimiter.hasCancelled(package.id, viewer.person, now: now, in: tx) {
                    blocked[offer.action] = .cancelledRecently
                    continue
                }
                let available = try walletAccounts.balance(of: viewer.person, in: tx)
                if available < package.moneyLock {
                    blocked[offer.action] = .insufficientFunds
                    balance = available
                } else if !package.funded {
                    blocked[offer.action] = .rewardNotFunded
                }
            }
        }
        return PackageDetails(
            package: package, role: viewer.isOperator ? .operator : viewer.role, actions: offers.map(\.action),
            blocked: blocked, insufficientBalance: balance, history: history,
            proofs: proofs,
            dispute: viewer.role == .stranger && !viewer.isOperator ? nil : named.stored.dispute,
            isAppealOfViewer: viewer.isOperator && !viewer.mayDecide && named.stored.finishedAt == nil
                && named.stored.dispute?.waitsForOther(than: viewer.person) ?? false,
            contact: contact, reviews: reviews, recipient: recipient)
    }

    /// Returns the recipient for owner and carrier while the delivery is under way.
    private func recipient(of package: StoredPackage, for viewer: Viewer, in tx: Transaction) throws -> Recipient? {
        guard package.hasRecipient, package.state.isUnderWay, viewer.role == .owner || viewer.role == .carrier else {
            return nil
        }
        return try RecipientStore.recipient(of: package.id, in: tx)
    }

    /// Returns the history. Only the owner and administrators see the names of earlier carriers.
    private func history(
        of package: StoredPackage, for viewer: Viewer, in tx: Transaction
    ) throws -> [PackageHistoryEntry] {
        let entries = try PackageHistoryStore.entries(of: package.id, in: tx)
        if viewer.isOperator, !viewer.seesEvidence { return entries.map(\.withoutPhoto) }
        guard viewer.role != .owner, !viewer.isOperator else { return entries }
        return entries.map { entry in
            let isNamed =
                entry.role == .owner || entry.by == viewer.person
                || (viewer.role == .carrier && entry.role == .operator)
            guard isNamed else { return entry.unnamed }
            return isPartyOf(entry.at, package, viewer) ? entry : entry.withoutCondition
        }
    }

    /// Returns the photos of the handovers. A carrier sees those since the acceptance, an administrator those of an
    /// open dispute, and a stranger none.
    private func proofs(of package: StoredPackage, for viewer: Viewer, in tx: Transaction) throws -> [PackageProof] {
        guard package.pickupPhotos + package.deliveryPhotos > 0, viewer.role != .stranger || viewer.seesEvidence
        else { return [] }
        let start = viewer.role == .carrier ? package.acceptedAt : nil
        return try ProofStore.proofs(of: package.id, from: start, in: tx)
    }

    /// Whether the viewer is the carrier of the handovers at that time.
    private func isPartyOf(_ instant: Instant, _ package: StoredPackage, _ viewer: Viewer) -> Bool {
        viewer.role == .carrier && package.acceptedAt.map { $0 <= instant } ?? false
    }

    private struct Viewer {
        let person: PersonID
        let role: PackageRole
        /// Whether the person is an administrator, neither owner nor carrier, while the package is a case.
        let isOperator: Bool
        /// Whether the person may decide the package's dispute.
        let mayDecide: Bool
        /// Whether the person is such an administrator, the dispute is open, and they see the photos.
        let seesEvidence: Bool
        /// Whether the person may open the package.
        let isAllowed: Bool

        init(
            _ person: PersonID, of package: StoredPackage, isOperator isAdministrator: @autoclosure () throws -> Bool,
            now: Instant, in tx: Transaction
        ) throws {
            self.person = person
            role = package.role(of: person)
            isOperator = try role == .stranger && package.isCase(now) && isAdministrator()
            let isOpenCase = isOperator && package.finishedAt == nil
            mayDecide = try isOpenCase && DisputeStore.mayDecide(person, package, in: tx)
            seesEvidence = try mayDecide || (isOpenCase && DisputeStore.isImpartial(person, package, in: tx))
            isAllowed = package.isVisible(to: role, isOperator: isOperator)
        }
    }
}
