import Accounts
import Family
import Kernel
import WebCore

/// The page of a parent of the household, with the actions to leave or to remove them.
struct ParentPage: Sendable {
    let shell: Shell
    let t: FamilyStrings
    let parent: MemberView
    let pageURL: String
    let makerText: String?
    let removal: RemovalView?
    let onlyParentNote: String?
    /// The time from which the reader can announce the removal; `nil` if they can announce it now.
    let noteAnnounceable: FamilyMoment?
    let actions: [ParentAction]

    /// - Parameter error: the error of the password.
    init(
        _ context: SignedInContext, _ details: ParentDetails, error: AppError? = nil, formatter: FamilyFormatter
    ) {
        let parents = details.parents
        let parent = details.parent
        let t = context.familyStrings
        let words = t.parents
        let name = parent.member.name
        let isMe = parent.member.id == context.actor.person
        let fill = { (text: String) in FamilyStrings.fill(text, ["name": name]) }
        self.t = t
        shell = Shell(
            context, title: name, menu: .family(t, for: context.account), tab: FamilyTab.account.rawValue,
            isLargeTitle: false, isNarrow: true, isRefreshable: true,
            back: ShellBack(url: FamilyPath.account, label: t.common.account)
        )
        self.parent = MemberView(parent.member, isMe: isMe, t: t, formatter: formatter)
        pageURL = FamilyPath.parent(parent.member.id)
        makerText = parent.isMaker ? (isMe ? words.makerYou : fill(words.maker)) : nil
        removal = parent.removal.map { RemovalView($0, name: name, isMe: isMe, words, formatter) }
        onlyParentNote = parents.count == 1 ? words.onlyParentNote : nil
        let isMaker = parents.contains { $0.isMaker && $0.member.id == context.actor.person }
        let announceableAt = isMaker ? nil : parent.announceableAt.flatMap { $0 > context.web.clock.now ? $0 : nil }
        noteAnnounceable = announceableAt.map { FamilyMoment($0, formatter) }
        let errors = FormErrors(error)
        let form = ProofField.beside(
            details.proof, for: isMe ? .leaveFamily : .removeParent,
            message: errors["password"] ?? errors.message ?? "",
            destination: pageURL, ProofStrings.of(context.language))
        actions =
            parents.count == 1
            ? []
            : Self.actions(
                parent, isMe: isMe, isMaker: isMaker, canAnnounce: announceableAt == nil, proof: form, words,
                key: shell.idempotencyKey)
    }

    private static func actions(
        _ parent: Parent, isMe: Bool, isMaker: Bool, canAnnounce: Bool, proof: ProofField?,
        _ words: FamilyParentStrings, key: String
    ) -> [ParentAction] {
        let name = parent.member.name
        let url = FamilyPath.parent(parent.member.id)
        let pending = parent.removal.map { $0.refusedAt == nil } ?? false
        var actions: [ParentAction] = []
        if pending, isMe || parent.removal?.canWithdraw ?? false {
            actions.append(
                ParentAction(
                    url: url + "/removal?_method=delete", label: isMe ? words.refuse : words.withdraw, key: key))
        }
        if isMe {
            actions.append(
                ParentAction(
                    url: url + "?_method=delete", label: words.leave, question: words.leaveQuestion,
                    note: words.leaveNote, proof: proof, key: key))
        } else if isMaker {
            actions.append(
                ParentAction(
                    url: url + "?_method=delete", label: words.remove, question: words.removeQuestion,
                    note: words.removeNote, name: name, proof: proof, key: key))
        } else if parent.removal == nil, canAnnounce {
            actions.append(
                ParentAction(
                    url: url + "/removal?_method=put", label: words.announce, question: words.announceQuestion,
                    note: words.announceNote, name: name, proof: proof, key: key))
        }
        return actions
    }
}

/// The announced or refused removal of a parent.
struct RemovalView: Sendable {
    let removalText: String
    let isPending: Bool
    let effective: FamilyMoment

    init(
        _ removal: Removal, name: String, isMe: Bool, _ words: FamilyParentStrings, _ formatter: FamilyFormatter
    ) {
        isPending = removal.refusedAt == nil
        let text = isPending ? (isMe ? words.announcedOwn : words.announced) : words.refused
        removalText = FamilyStrings.fill(text, ["name": name, "who": removal.by])
        effective = FamilyMoment(removal.effectiveAt, formatter)
    }
}

/// A button of a parent's page. It asks for confirmation if it has a question.
struct ParentAction: Sendable {
    let actionURL: String
    let actionLabel: String
    let question: String
    let questionNote: String
    let isDangerous: Bool
    let actionKey: String
    /// The proof that it requires; `nil` if it requires none, or one is stored.
    let proof: ProofField?

    init(
        url: String, label: String, question: String = "", note: String = "", name: String = "",
        proof: ProofField? = nil, key: String
    ) {
        self.proof = proof
        let fill = { (text: String) in FamilyStrings.fill(text, ["name": name]) }
        actionURL = url
        actionLabel = fill(label)
        self.question = fill(question)
        questionNote = fill(note)
        isDangerous = !question.isEmpty
        actionKey = key
    }
}
