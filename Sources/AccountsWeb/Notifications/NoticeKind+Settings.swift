import Accounts
import Notifications

extension NoticeKind {
    /// The kinds of a form that doesn't name those that it shows: an open page of the previous version.
    static let shownByOldForms: [NoticeKind] = [
        .itemTooFar, .packageAccepted, .packagePickedUp, .packageDelivered, .packageDeadlineNear, .choreAssigned,
        .levelReached,
    ]

    /// The kinds that only a child receives.
    private static let forChildren: [NoticeKind] = [
        .choreAssigned, .choreDeclined, .pointsUndone, .contractAdded, .purchaseDecided, .wishDecided,
    ]

    /// The kinds that a person of the role can receive, for the settings.
    static func offered(toChild isChild: Bool) -> [NoticeKind] {
        isChild
            ? forChildren + [
                .levelReached, .choreCounted, .goalReached, .choreTurn, .choreDue, .weekReviewed, .chorePause,
                .positionShared,
            ]
            : allCases.filter { $0 != .test && !forChildren.contains($0) }
    }

    /// The kinds that a change of the settings may name. Open pages of the previous version offered parents a child's
    /// kind.
    static func accepted(fromChild isChild: Bool) -> [NoticeKind] {
        offered(toChild: isChild) + (isChild ? [] : forChildren)
    }

    /// The app whose events the kind reports; `nil` for kinds of no app.
    var app: AppName? {
        switch self {
        case .itemTooFar, .batteryLow, .itemSilent, .itemMoved, .itemArrived, .itemLeft, .itemNotArrived,
            .switchNotConfirmed, .historyFull, .itemShared, .itemFound, .itemReturned, .liveLinkMet,
            .positionShared, .personCrossed:
            .tracking
        case .packageAccepted, .packagePickedUp, .packageDelivered, .packageDeadlineNear, .packageCancelled,
            .packageCancellationRequested, .packageDeliveryReported, .packageDisputed, .packageDecided, .packageLapsed,
            .packageNotFunded, .walletPayment, .payoutRequest, .packageOnTrip, .packageMessage, .packageReview:
            .carrepsa
        case .choreAssigned, .choreCounted, .levelReached, .choreRequested, .choreDeclined, .pointsUndone,
            .contractAdded, .rewardBought, .purchaseDecided, .goalReached, .wishAdded, .wishDecided, .parentJoined,
            .parentLeft, .parentRemoval, .signInCodeMade, .childSignedIn, .childDeletion, .choreTurn, .choreDue,
            .weekReviewed, .chorePause:
            .family
        case .test: nil
        }
    }

    /// The kinds for the settings page of a person who uses these apps; a person who uses none yet sees all of them.
    static func shown(toChild isChild: Bool, apps: Set<AppName>) -> [NoticeKind] {
        let offered = offered(toChild: isChild)
        return isChild || apps.isEmpty ? offered : offered.filter { kind in kind.app.map(apps.contains) ?? true }
    }

    /// The name of the icon in the sprite.
    var icon: String {
        switch self {
        case .itemTooFar: "map-pin-off"
        case .batteryLow: "battery-low"
        case .itemSilent: "wifi-off"
        case .itemMoved: "map-pin-off"
        case .itemArrived, .itemLeft: "map-pin"
        case .itemNotArrived: "clock"
        case .itemFound: "mail"
        case .itemReturned: "circle-check"
        case .liveLinkMet: "users"
        case .positionShared: "users"
        case .personCrossed: "map-pin"
        case .switchNotConfirmed: "power"
        case .historyFull: "triangle-alert"
        case .itemShared: "users"
        case .packageAccepted, .packagePickedUp, .packageDelivered: "package"
        case .packageDeadlineNear, .packageLapsed: "clock"
        case .packageCancelled, .packageDecided: "package"
        case .packageDeliveryReported: "circle-check"
        case .packageCancellationRequested, .packageNotFunded: "circle-alert"
        case .packageDisputed: "triangle-alert"
        case .walletPayment, .payoutRequest: "wallet"
        case .packageOnTrip: "route"
        case .packageMessage: "mail"
        case .packageReview: "star"
        case .choreAssigned, .choreCounted: "star"
        case .levelReached, .contractAdded, .goalReached: "trophy"
        case .choreRequested: "bell"
        case .choreDeclined: "circle-x"
        case .pointsUndone: "undo-2"
        case .rewardBought, .purchaseDecided, .wishAdded, .wishDecided: "gift"
        case .parentJoined: "users"
        case .parentLeft: "log-out"
        case .parentRemoval: "triangle-alert"
        case .signInCodeMade: "qr-code"
        case .childSignedIn: "smartphone"
        case .childDeletion: "trash-2"
        case .choreTurn: "refresh-cw"
        case .choreDue: "clock"
        case .weekReviewed: "sparkles"
        case .chorePause: "umbrella"
        case .test: "bell"
        }
    }
}
