import Kernel
import Pictures
import Storage

extension PackageState: SQLBindable, SQLReadable {}
extension PackageRole: SQLBindable, SQLReadable {}
extension HandoverStep: SQLBindable, SQLReadable {}
extension PackageSize: SQLBindable, SQLReadable {}

/// A row of `carrepsa_package`; the input of the life-cycle rules.
struct StoredPackage: Sendable, Hashable {
    let id: ID<Package>
    let owner: PersonID?
    var carrier: PersonID?
    private(set) var title: String
    private(set) var from: String
    private(set) var to: String
    var route: PackageRoute
    private(set) var weightGrams: Int64
    var reward: Int64
    private(set) var moneyLock: Int64
    private(set) var description: String?
    var pictureID: ID<Picture>?
    private(set) var deadline: Instant?
    var state: PackageState
    var isRewardHeld: Bool
    let createdAt: Instant
    var acceptedAt: Instant?
    var pickedUpAt: Instant?
    var finishedAt: Instant?
    var withdrawnAt: Instant?
    var deliveryReportedAt: Instant?
    var cancellationRequestedBy: PackageRole?
    var disputedAt: Instant?
    var disputedBy: PackageRole?
    var disputeReason: String?
    var ownerStatements: Int64 = 0
    var carrierStatements: Int64 = 0
    var hasRecipient: Bool = false
    /// When the recipient refused the package.
    var refusedAt: Instant?
    /// Whether photos must be taken before each handover.
    var requiresPhotos: Bool = false
    /// The number of photos of the pickup and of the delivery, by owner or carrier.
    var pickupPhotos: Int64 = 0
    var deliveryPhotos: Int64 = 0
    var version: Int64
    /// Read only with a lock, and for the package's own page; `nil` in lists.
    var dispute: Dispute?

    /// Whether the latest pickup has passed. The deadline itself counts as passed.
    func isPastDeadline(_ now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }

    /// Whether the package should have expired, but no transition has recorded it yet.
    func isOverdue(_ now: Instant) -> Bool {
        isPastDeadline(now) && (state == .accepted || (state == .available && isRewardHeld))
    }

    /// Returns the number of statements that owner or carrier has added to the dispute.
    func statements(of role: PackageRole) -> Int64 { role == .owner ? ownerStatements : carrierStatements }

    /// Returns the number of photos of the handover that ends a state.
    func photos(of state: PackageState) -> Int64 { state == .travelling ? deliveryPhotos : pickupPhotos }

    /// Returns the person's role. A former carrier is a stranger.
    func role(of person: PersonID) -> PackageRole {
        if person == owner { .owner } else if person == carrier { .carrier } else { .stranger }
    }

    /// - Parameter viewer: the reader; exact points are for the owner and the carrier only.
    func package(owner: Party, carrier: Party?, funded: Bool, viewer: PersonID?) -> Package {
        let isParty = viewer.map { role(of: $0) != .stranger } ?? false
        return Package(
            id: id, title: title, from: from, to: to, route: isParty ? route : route.withoutPoints,
            weightGrams: weightGrams, reward: reward, moneyLock: moneyLock, description: description,
            pictureID: pictureID, deadline: deadline, state: state,
            funded: funded || isRewardHeld || state.isFinished, isRewardHeld: isRewardHeld, owner: owner,
            carrier: carrier, createdAt: createdAt, acceptedAt: acceptedAt, pickedUpAt: pickedUpAt,
            deliveredAt: state == .delivered ? finishedAt : nil, finishedAt: finishedAt,
            deliveryReportedAt: deliveryReportedAt, cancellationRequestedBy: cancellationRequestedBy,
            disputedAt: disputedAt, disputedBy: disputedBy, disputeReason: disputeReason, version: version,
            hasRecipient: hasRecipient, isRefused: refusedAt != nil, requiresPhotos: requiresPhotos,
            hasPhotos: pickupPhotos + deliveryPhotos > 0
        )
    }
}

extension StoredPackage {
    /// Creates a package that isn't stored yet.
    init(_ draft: PackageDraft, id: ID<Package>, owner: PersonID, now: Instant) {
        self.init(
            id: id, owner: owner, carrier: nil, title: draft.title, from: draft.from.text, to: draft.to.text,
            route: draft.route, weightGrams: draft.weightGrams, reward: draft.reward, moneyLock: draft.moneyLock,
            description: draft.description, pictureID: draft.pictureID, deadline: draft.deadline, state: .available,
            isRewardHeld: false, createdAt: now, acceptedAt: nil, pickedUpAt: nil, finishedAt: nil, withdrawnAt: nil,
            deliveryReportedAt: nil, cancellationRequestedBy: nil, disputedAt: nil, disputedBy: nil,
            disputeReason: nil, requiresPhotos: draft.requiresPhotos, version: 1
        )
    }

    /// Replaces the terms of the offer.
    /// - Parameter route: the route with its areas.
    mutating func replaceTerms(by draft: PackageDraft, route: PackageRoute) {
        title = draft.title
        from = draft.from.text
        to = draft.to.text
        self.route = route
        weightGrams = draft.weightGrams
        reward = draft.reward
        moneyLock = draft.moneyLock
        description = draft.description
        pictureID = draft.pictureID
        deadline = draft.deadline
        requiresPhotos = draft.requiresPhotos
    }
}

extension StoredPackage {
    /// The owner or carrier who hasn't written, in a dispute that a server of the version before opened.
    private var awaitedWithoutRow: PackageRole? {
        guard finishedAt == nil else { return nil }
        let other: PackageRole = disputedBy == .owner ? .carrier : .owner
        return statements(of: other) == 0 ? other : nil
    }

    /// Reads the dispute of a package that is or was in dispute.
    mutating func readDispute(in tx: Transaction) throws {
        guard let disputedAt else { return }
        // A server of the version before opens and decides disputes without a row of their own.
        dispute =
            try DisputeStore.find(id, in: tx)
            ?? Dispute(
                kind: .other,
                statementsUntil: finishedAt == nil ? disputedAt.adding(seconds: Limits.disputeAnswerSeconds) : nil,
                awaited: awaitedWithoutRow, offer: nil, decision: nil, appeal: nil)
    }
}
