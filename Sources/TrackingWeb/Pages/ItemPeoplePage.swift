import Accounts
import Kernel
import Tracking
import WebCore

/// The page of the people who can see an item.
struct ItemPeoplePage: Sendable {
    let shell: Shell
    let peopleURL: String
    let itemsURL: String
    let resource: String
    let lead: String
    let people: [ItemPersonRow]
    let candidates: [ItemCandidateRow]
    let hasCandidates: Bool
    let canShare: Bool
    let newLink: ItemLink?
    let invitationsURL: String
    let linkNote: String
    let linkChoices: [AccessChoice]
    let invitations: [ItemInvitationRow]
    let hasInvitations: Bool
    /// The reader's own settings.
    let membershipURL: String
    let membershipVersion: String
    let formError: String?
    /// The fields of own values; empty for the owner.
    let ownFields: [InputField]
    let isMuted: Bool
    /// `nil` for the owner, whose distance is in the form of the item.
    let replayAction: String?
    /// What would have come; `nil` before the person asks.
    let replay: ReplayPart?
    /// Leaves the item; `nil` for the owner.
    let leaveURL: String?
    let leaveQuestion: String

    init(
        _ context: SignedInContext, _ shown: ItemPeople, created: NewItemInvitation? = nil,
        typed: MembershipFormState? = nil, replay: Replay? = nil, error: AppError? = nil
    ) throws {
        let t = context.t
        let formatter = context.formatter(t)
        let item = shown.item
        let url = TrackingPath.item(item.id)
        let peopleURL = TrackingPath.people(of: item.id)
        shell = Shell(
            context, title: t("People"), menu: .tracking(t), tab: "items", isLargeTitle: false, isNarrow: true,
            isRefreshable: true, back: ShellBack(url: url, label: item.name))
        self.peopleURL = peopleURL
        itemsURL = TrackingPath.items
        resource = url
        lead = t("Everyone in this list sees where {name} is, and who else can.", ["name": item.name])
        people = shown.people.map {
            ItemPersonRow($0, isReader: $0.id == context.actor.person, access: shown.access, of: peopleURL, t)
        }
        candidates = shown.candidates.map { ItemCandidateRow($0, access: shown.access, t) }
        hasCandidates = !shown.candidates.isEmpty
        canShare = shown.access >= .manage
        newLink = try created.map { try ItemLink($0, formatter) }
        invitationsURL = url + "/invitations"
        linkNote = t(
            "One person can use the link, within {n} day.",
            plural: "One person can use the link, within {n} days.",
            count: Int(Limits.itemInvitationSeconds / (24 * 60 * 60)))
        linkChoices = AccessChoice.all(for: shown.access, current: .see, t)
        invitations = shown.invitations.map { ItemInvitationRow($0, of: url, t, formatter) }
        hasInvitations = !shown.invitations.isEmpty
        membershipURL = url + "/membership?_method=patch"
        membershipVersion = shown.access == .own ? "" : String(shown.membership.version)
        let state = typed ?? MembershipFormState(shown.membership)
        let errors = error?.translated(to: context.language)
        ownFields = shown.access == .own ? [] : Self.fields(state, item, errors?.fields ?? [:], t)
        formError = errors.flatMap { $0.fields.isEmpty ? $0.message : nil }
        isMuted = state.isMuted
        replayAction = shown.access == .own ? nil : url + "/membership/replay"
        self.replay = replay.map { ReplayPart($0, itemName: item.name, t: t, formatter: formatter) }
        leaveURL = shown.access == .own ? nil : url + "/membership?_method=delete"
        leaveQuestion = t("Leave {name}?", ["name": item.name])
    }

    private static func fields(
        _ state: MembershipFormState, _ item: Item, _ messages: [String: String], _ t: Translator
    ) -> [InputField] {
        [
            InputField(
                id: "own-name", inputName: "name", label: t("My name for it"), value: state.name,
                hint: t("Only you see it. Without one, you see the owner’s."), unit: "",
                isInvalid: messages["name"] != nil, message: messages["name"] ?? ""),
            InputField(
                id: "own-alert", inputName: "alertMetres", label: t("Alert me beyond"), value: state.alertMetres,
                hint: t("Without a distance, the item’s own counts."), unit: "m",
                isInvalid: messages["alertMetres"] != nil, message: messages["alertMetres"] ?? ""),
        ]
    }
}

/// One person in the list.
struct ItemPersonRow: Sendable {
    let personName: String
    let accessLabel: String
    /// The form that changes the access; `nil` for people whose access the reader can't change.
    let change: ItemPersonChange?

    init(_ person: ItemPerson, isReader: Bool, access: ItemAccess, of url: String, _ t: Translator) {
        personName = isReader ? t("{name} (you)", ["name": person.name]) : person.name
        accessLabel = person.access.label(t)
        change =
            access.canGrant(person.access) && !isReader ? ItemPersonChange(person, access: access, of: url, t) : nil
    }
}

/// The change of one person's access.
struct ItemPersonChange: Sendable {
    let changeURL: String
    let accessChoices: [AccessChoice]
    let removeURL: String
    let removeQuestion: String
    let removeNote: String

    init(_ person: ItemPerson, access: ItemAccess, of url: String, _ t: Translator) {
        changeURL = "\(url)/\(person.id)?_method=patch"
        accessChoices = AccessChoice.all(for: access, current: person.access, t)
        removeURL = "\(url)/\(person.id)?_method=delete"
        removeQuestion = t("Stop sharing with {name}?", ["name": person.name])
        removeNote = t("{name} no longer sees where it is, from this moment on.", ["name": person.name])
    }
}

/// A person of the family with whom the item isn't shared yet.
struct ItemCandidateRow: Sendable {
    let candidateID: String
    let candidateName: String
    let accessChoices: [AccessChoice]

    init(_ person: HouseholdPerson, access: ItemAccess, _ t: Translator) {
        candidateID = person.id.description
        candidateName = person.name
        accessChoices = AccessChoice.all(for: access, current: nil, t)
    }
}

/// One access to choose.
struct AccessChoice: Sendable {
    let choiceValue: String
    let choiceLabel: String
    let choiceHint: String
    let isCurrent: Bool

    /// The choices of a person with this access.
    static func all(for access: ItemAccess, current: ItemAccess?, _ t: Translator) -> [AccessChoice] {
        ItemAccess.grantable.filter(access.canGrant).map {
            AccessChoice(
                choiceValue: $0.rawValue, choiceLabel: $0.label(t), choiceHint: $0.hint(t), isCurrent: $0 == current)
        }
    }
}

/// A new link, which is shown once.
struct ItemLink: Sendable {
    let link: String
    let qr: String
    let linkExpiry: FormattedTime

    init(_ created: NewItemInvitation, _ formatter: TrackingFormatter) throws {
        link = created.url
        qr = try QRCode.svg(created.url)
        linkExpiry = FormattedTime(created.invitation.expiresAt, formatter.times)
    }
}

/// An open invitation in the list.
struct ItemInvitationRow: Sendable {
    let invitedAccess: String
    let invitationExpiry: FormattedTime
    let revokeURL: String
    let revokeLabel: String

    init(_ invitation: ItemInvitation, of url: String, _ t: Translator, _ formatter: TrackingFormatter) {
        invitedAccess = invitation.access.label(t)
        invitationExpiry = FormattedTime(invitation.expiresAt, formatter.times)
        revokeURL = "\(url)/invitations/\(invitation.id)?_method=delete"
        revokeLabel = t("Revoke the invitation: {access}", ["access": invitedAccess])
    }
}
