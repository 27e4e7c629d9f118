import Kernel
import Pictures
import Storage

extension PackageState: SQLBindable, SQLReadable {}
extension PackageRole: SQLBindable, SQLReadable {}
extension HandoverStep: SQLBindable, SQLReadable {}

/// A package as its row has it: what the rules work on.
struct StoredPackage: Sendable, Hashable {
    let id: ID<Package>
    let owner: PersonID?
    var carrier: PersonID?
    let title: String
    let from: String
    let to: String
    let weightGrams: Int64
    let reward: Int64
    let moneyLock: Int64
    let description: String?
    var pictureID: ID<Picture>?
    let deadline: Instant?
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
    var version: Int64

    /// Whether the latest pickup has passed; it counts from its very instant.
    func isPastDeadline(_ now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }

    /// Whether its money should have gone back, though nobody has written so yet.
    func isOverdue(_ now: Instant) -> Bool {
        isPastDeadline(now) && (state == .accepted || (state == .available && isRewardHeld))
    }

    /// How many statements a side has added to the dispute.
    func statements(of role: PackageRole) -> Int64 { role == .owner ? ownerStatements : carrierStatements }

    /// What a person is to it. Whoever carried it once and doesn't any more is a stranger.
    func role(of person: PersonID) -> PackageRole {
        if person == owner { .owner } else if person == carrier { .carrier } else { .stranger }
    }

    func package(owner: Party, carrier: Party?, funded: Bool) -> Package {
        Package(
            id: id, title: title, from: from, to: to, weightGrams: weightGrams, reward: reward, moneyLock: moneyLock,
            description: description, pictureID: pictureID, deadline: deadline, state: state,
            funded: funded || isRewardHeld || state.isFinished, isRewardHeld: isRewardHeld, owner: owner,
            carrier: carrier, createdAt: createdAt, acceptedAt: acceptedAt, pickedUpAt: pickedUpAt,
            deliveredAt: state == .delivered ? finishedAt : nil, finishedAt: finishedAt,
            deliveryReportedAt: deliveryReportedAt, cancellationRequestedBy: cancellationRequestedBy,
            disputedAt: disputedAt, disputedBy: disputedBy, disputeReason: disputeReason, version: version
        )
    }
}
