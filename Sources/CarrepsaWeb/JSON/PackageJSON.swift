import Carrepsa
import Kernel
import Pictures
import WebCore

/// One of the two people of a package, as clients read it; nulls stand for somebody who left.
struct PartyJSON: Encodable {
    @Nullable var id: PersonID?
    @Nullable var name: String?

    init(_ party: Party) {
        id = party.id
        name = party.name
    }
}

/// A package as clients read it. Grams, and minor units of the wallet's currency.
struct PackageJSON: Encodable {
    let id: ID<Package>
    let title: String
    let from: String
    let to: String
    let weight: Int64
    let reward: Int64
    let moneyLock: Int64
    @Nullable var description: String?
    @Nullable var pictureId: ID<Picture>?
    @Nullable var deadline: Instant?
    let state: String
    let funded: Bool
    let owner: PartyJSON
    @Nullable var carrier: PartyJSON?
    let createdAt: Instant
    @Nullable var acceptedAt: Instant?
    @Nullable var pickedUpAt: Instant?
    @Nullable var deliveredAt: Instant?
    @Nullable var deliveryReportedAt: Instant?
    @Nullable var cancellationRequestedBy: String?
    @Nullable var disputedAt: Instant?
    let version: Int64

    init(_ package: Package) {
        id = package.id
        title = package.title
        from = package.from
        to = package.to
        weight = package.weightGrams
        reward = package.reward
        moneyLock = package.moneyLock
        description = package.description
        pictureId = package.pictureID
        deadline = package.deadline
        state = package.state.rawValue
        funded = package.funded
        owner = PartyJSON(package.owner)
        carrier = package.carrier.map(PartyJSON.init)
        createdAt = package.createdAt
        acceptedAt = package.acceptedAt
        pickedUpAt = package.pickedUpAt
        deliveredAt = package.deliveredAt
        deliveryReportedAt = package.deliveryReportedAt
        cancellationRequestedBy = package.cancellationRequestedBy?.rawValue
        disputedAt = package.disputedAt
        version = package.version
    }
}

/// A package with what the asker is to it and may do with it.
struct PackageViewJSON: Encodable {
    private let package: PackageJSON
    private let role: String
    private let actions: [String]
    private let blocked: [String: String]
    private let story: [StoryJSON]

    private enum Key: String, CodingKey {
        case role
        case actions
        case blocked
        case story
    }

    init(_ view: PackageView) {
        package = PackageJSON(view.package)
        role = view.role.rawValue
        actions = view.actions.map(\.rawValue)
        var blocked: [String: String] = [:]
        for (action, reason) in view.blocked { blocked[action.rawValue] = reason.rawValue }
        self.blocked = blocked
        story = view.story.map(StoryJSON.init)
    }

    func encode(to encoder: any Encoder) throws {
        try package.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(role, forKey: .role)
        try container.encode(actions, forKey: .actions)
        try container.encode(blocked, forKey: .blocked)
        try container.encode(story, forKey: .story)
    }
}

/// Something that happened to a package, as clients read it.
struct StoryJSON: Encodable {
    let at: Instant
    let event: String
    let role: String
    @Nullable var name: String?
    @Nullable var note: String?

    init(_ entry: StoryEntry) {
        at = entry.at
        switch entry.event {
        case .action(let action): event = action.rawValue
        case .rewardNotFunded: event = "rewardNotFunded"
        }
        role = entry.role.rawValue
        name = entry.byName
        note = entry.note
    }
}

/// A package in dispute, as operators read it.
struct DisputeJSON: Encodable {
    private let package: PackageJSON
    private let disputedBy: String?
    private let disputeReason: String?

    private enum Key: String, CodingKey {
        case disputedBy
        case disputeReason
    }

    init(_ package: Package) {
        self.package = PackageJSON(package)
        disputedBy = package.disputedBy?.rawValue
        disputeReason = package.disputeReason
    }

    func encode(to encoder: any Encoder) throws {
        try package.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(disputedBy, forKey: .disputedBy)
        try container.encode(disputeReason, forKey: .disputeReason)
    }
}

/// A code for a handover, as clients read it.
struct HandoverCodeJSON: Encodable {
    let code: String
    let step: String
    let expiresAt: Instant
    let url: String

    init(_ code: HandoverCode, url: String) {
        self.code = code.code
        step = code.step.rawValue
        expiresAt = code.expiresAt
        self.url = url
    }
}
