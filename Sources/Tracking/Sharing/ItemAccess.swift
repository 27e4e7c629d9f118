import Kernel

/// What a person may do with an item. Each level includes the levels before it.
package enum ItemAccess: String, Sendable, CaseIterable, Comparable {
    /// See its positions, history and people.
    case see
    /// Also locate it, and make it ring.
    case locate
    /// Also turn its tracker on and off, share it, also by a public link, park it, and handle lost mode.
    case manage
    /// Also everything else: change and delete it, pair and remove trackers, and let people manage it.
    case own

    /// The levels that the owner can give.
    package static let grantable: [ItemAccess] = [.see, .locate, .manage]

    /// Compares how much the levels allow.
    package static func < (lower: Self, higher: Self) -> Bool { lower.rank < higher.rank }

    private var rank: Int {
        switch self {
        case .see: 0
        case .locate: 1
        case .manage: 2
        case .own: 3
        }
    }

    /// Whether a person with this access may give, change and remove `access` of others.
    package func canGrant(_ access: ItemAccess) -> Bool {
        switch self {
        case .own: access < .own
        case .manage: access < .manage
        case .see, .locate: false
        }
    }

    /// - Throws: `AppError.forbidden` when this access is less than `required`.
    func require(_ required: ItemAccess) throws {
        guard self >= required else { throw AppError(.forbidden, required == .own ? .ownerOnly : .accessTooLow) }
    }
}
