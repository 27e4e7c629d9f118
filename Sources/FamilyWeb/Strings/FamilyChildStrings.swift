/// The texts of codes, devices, invitations and children's own pages.
struct FamilyChildStrings: Sendable {
    let my: FamilyChildPageStrings
    let code: FamilyCodeStrings
    let door: FamilySignInStrings
    let devices: FamilyDeviceStrings
    let invitation: FamilyInvitationStrings
    let looks: FamilyAppearanceStrings
}

/// The texts of children's own pages.
struct FamilyChildPageStrings: Sendable {
    let hello: String
    let profile: String
    let siblings: String
    let goal: String
    let allReached: String
    let noContract: String
    let stars: String
    let ask: String
    let askLead: String
    let askLabel: String
    let asked: String
    let askedNote: String
    let noChores: String
    let done: String
    let doneNone: String
    let rewards: String
    let rewardsOf: String
    let doneBy: String
    let handedOver: String
    let handedOverOther: String
    let waiting: String
    let all: String
    let celebrate: String
    let celebrateAll: String
    let great: String
    let menu: String
    let edit: String
    let editTitle: String
    let updated: String
    let theme: String
    let devices: String
    let devicesNote: String
    let parents: String
    let gone: String
    let reachedAt: String
    let togo: String
    let lost: String
}

/// The texts of the page that shows a child's code.
struct FamilyCodeStrings: Sendable {
    let title: String
    let lead: String
    let stepOpen: String
    let stepScan: String
    let stepOnce: String
    let label: String
    let left: String
    let link: String
    let copy: String
    let share: String
    let show: String
    let again: String
    let offline: String
    let failed: String
    let replaced: String
    let used: String
    let renewed: String
    let childGone: String
    let making: String
    let isSecret: String
}

/// The texts of signing in by code.
struct FamilySignInStrings: Sendable {
    let scanTitle: String
    let scanLead: String
    let scanSearching: String
    let scanForeign: String
    let scanRefused: String
    let deadTitle: String
    let deadText: String
    let deadAsk: String
    let deadScan: String
    let deadHome: String
    let scanThrottled: String
    let scanOffline: String
    let scanSlow: String
    let scanClosed: String
    let scanFound: String
    let scanPhoto: String
    let scanPhotoUnread: String
    let scanNoScript: String
    let signInPage: String
    let title: String
    let signInAs: String
    let notMe: String
    let signedInAs: String
    let welcome: String
}

/// The texts of the page of a child's devices.
struct FamilyDeviceStrings: Sendable {
    let title: String
    let mine: String
    let lead: String
    let mineLead: String
    let lastUsed: String
    let current: String
    let signOut: String
    let question: String
    let signedOut: String
    let noneTitle: String
    let noneText: String
    let show: String
    let void: String
    let voidNote: String
    let voided: String
    let more: String
}

/// The texts of inviting another parent and accepting an invitation.
struct FamilyInvitationStrings: Sendable {
    let title: String
    let lead: String
    let make: String
    let again: String
    let note: String
    let label: String
    let until: String
    let copy: String
    let share: String
    let done: String
    let joinTitle: String
    let joinLead: String
    let joinNote: String
    let join: String
    let joined: String
    let signInFirst: String
    let signIn: String
    let register: String
    let notNow: String
    let forGrownUps: String
    let unknown: String
}

/// The texts for choosing theme and avatar.
struct FamilyAppearanceStrings: Sendable {
    let theme: String
    let avatar: String
    let photo: String
    let photoLabel: String
    /// The names of the themes by their ids.
    let themes: [String: String]
    /// The names of the avatars by their file names.
    let avatars: [String: String]
}
