import Kernel
import WebCore

/// All texts of Family in one language. They are stored properties, because templates read them by reflection. `{…}`
/// marks a placeholder for ``fill(_:_:)``.
///
/// It is a class, because each page and many of its parts hold it: a struct would copy hundreds of strings each time.
final class FamilyStrings: WordCatalogue {
    let common: FamilyCommonStrings
    let welcome: FamilyWelcomeStrings
    let dashboard: FamilyDashboardStrings
    let person: FamilyPersonStrings
    let chores: FamilyChoreStrings
    let contract: FamilyContractStrings
    let profile: FamilyProfileStrings
    let assign: FamilyAssignStrings
    let account: FamilyAccountStrings
    let units: FamilyUnitStrings
    let parents: FamilyParentStrings
    let deletion: FamilyDeletionStrings
    let child: FamilyChildStrings

    init(
        common: FamilyCommonStrings, welcome: FamilyWelcomeStrings, dashboard: FamilyDashboardStrings,
        person:
            FamilyPersonStrings, chores: FamilyChoreStrings, contract: FamilyContractStrings,
        profile:
            FamilyProfileStrings, assign: FamilyAssignStrings, account: FamilyAccountStrings, units: FamilyUnitStrings,
        parents: FamilyParentStrings, deletion: FamilyDeletionStrings, child: FamilyChildStrings
    ) {
        self.common = common
        self.welcome = welcome
        self.dashboard = dashboard
        self.person = person
        self.chores = chores
        self.contract = contract
        self.profile = profile
        self.assign = assign
        self.account = account
        self.units = units
        self.parents = parents
        self.deletion = deletion
        self.child = child
    }

    /// Returns the texts in a language.
    static func of(_ language: Language) -> FamilyStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }
}

struct FamilyCommonStrings: Sendable {
    let family: String
    let account: String
    let home: String
    let cancel: String
    let update: String
    let edit: String
    let delete: String
    let undo: String
    let more: String
    let movedOn: String
    /// The toast after a deletion, with the name of the deleted child or chore.
    let deleted: String
}

struct FamilyWelcomeStrings: Sendable {
    let lead: String
    let choresTitle: String
    let choresText: String
    let rewardsTitle: String
    let rewardsText: String
    let childrenTitle: String
    let childrenText: String
    let signIn: String
    let register: String
    let scan: String
}

struct FamilyDashboardStrings: Sendable {
    let hello: String
    let add: String
    let addChild: String
    let addChore: String
    let emptyTitle: String
    let emptyText: String
    let gained: String
    let gainedLabel: String
    let inAll: String
    let achievementLabel: String
    let level: String
    let levelLabel: String
    let noContract: String
    let waitingOne: String
    let waiting: String
    let choose: String
}

struct FamilyPersonStrings: Sendable {
    let addTitle: String
    let editTitle: String
    let editOwnTitle: String
    let name: String
    let childName: String
    let dateOfBirth: String
    let added: String
    let updated: String
    let ownUpdated: String
    let delete: String
    let deleteQuestion: String
    let deleteText: String
    let deleted: String
    let restored: String
    let theme: String
}

struct FamilyChoreStrings: Sendable {
    let title: String
    let addTitle: String
    let editTitle: String
    let name: String
    let namePlaceholder: String
    let photo: String
    let photoHint: String
    let added: String
    let addedTwin: String
    let updated: String
    let updatedTwin: String
    let delete: String
    let deleted: String
    let restored: String
    let deleteNote: String
    let noneText: String
    let pictureTooLarge: String
}

struct FamilyContractStrings: Sendable {
    let title: String
    let maximum: String
    let maximumHint: String
    let description: String
    let descriptionHint: String
    let levels: String
    let levelsHint: String
    let level: String
    let reward: String
    let rewardPlaceholder: String
    let points: String
    let addLevel: String
    let removeLevel: String
    let sum: String
    let replaces: String
    let added: String
    let history: String
    let present: String
    let ended: String
    let noneTitle: String
    let noneText: String
}

struct FamilyProfileStrings: Sendable {
    let edit: String
    let add: String
    let addContract: String
    let qrCode: String
    let assign: String
    let gainedPoints: String
    let achievementPoints: String
    let prizeLevel: String
    let ofMaximum: String
    let rewards: String
    let levelNumber: String
    let reached: String
    let toGo: String
    let lost: String
    let at: String
    let handedOver: String
    let handOver: String
    let handOverLabel: String
    let takeBackLabel: String
    let markedOver: String
    let markedBack: String
    let surplus: String
    let finished: String
    let noneFinished: String
    let allFinished: String
    let by: String
    let plus: String
    let undone: String
    let undo: String
    let undoLabel: String
    let undoQuestion: String
    let undoNote: String
    let requests: String
    let decline: String
    let givePoints: String
    let declineLabel: String
    let approved: String
    let declined: String
    let tooLate: String
    let devices: String
    let devicesNone: String
    let deviceOne: String
    let deviceCount: String
    let born: String
    let history: String
    let noContractText: String
    let more: String
}

struct FamilyAssignStrings: Sendable {
    let title: String
    let lead: String
    let assign: String
    let close: String
    let pointsFor: String
    let none: String
    let noneChosen: String
    let gone: String
    let booked: String
    let noChoresTitle: String
    let noChoresText: String
}

struct FamilyAccountStrings: Sendable {
    let title: String
    let menu: String
    let signOut: String
    let invite: String
    let parents: String
    let parentsNote: String
    let you: String
    let settings: String
    let settingsNote: String
    let choresNote: String
}

struct FamilyUnitStrings: Sendable {
    let onePoint: String
    let points: String
    let now: String
    let minutesAgo: String
    let hoursAgo: String
    let dayAgo: String
    let daysAgo: String
    let date: String
    let groupSeparator: String
    let months: [String]
}
