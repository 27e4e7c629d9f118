import Accounts
import Family
import Kernel
import WebCore

/// The page of a parent of the household, with the actions to leave or to remove them.
struct ParentPage: Sendable {
    let shell: Shell
    let parent: MemberView
    let pageURL: String
    let makerText: String?
    let removal: RemovalView?
    let onlyParentNote: String?
    /// The time from which the reader can announce the removal; `nil` if they can announce it now.
    let noteAnnounceable: FormattedTime?
    let actions: [ParentAction]

    /// - Parameter error: the error of the password.
    init(
        _ context: SignedInContext, _ details: ParentDetails, error: AppError? = nil, formatter: FamilyFormatter
    ) {
        let parents = details.parents
        let parent = details.parent
        let t = context.t
        let name = parent.member.name
        let isMe = parent.member.id == context.actor.person
        let fill = { (text: String) in Translator.filled(text, ["name": name]) }
        shell = Shell(
            context, title: name, menu: .family(t, for: context.account), tab: FamilyTab.account.rawValue,
            isLargeTitle: false, isNarrow: true, isRefreshable: true,
            back: ShellBack(url: FamilyPath.account, label: t("Account"))
        )
        self.parent = MemberView(parent.member, isMe: isMe, t: t, formatter: formatter)
        pageURL = FamilyPath.parent(parent.member.id)
        makerText =
            parent.isMaker ? (isMe ? t("You created this family.") : fill(t("{name} created this family."))) : nil
        removal = parent.removal.map { RemovalView($0, name: name, isMe: isMe, context.t, formatter) }
        onlyParentNote = parents.count == 1 ? t("You are the only parent of this family.") : nil
        let isMaker = parents.contains { $0.isMaker && $0.member.id == context.actor.person }
        let announceableAt = isMaker ? nil : parent.announceableAt.flatMap { $0 > context.web.clock.now ? $0 : nil }
        noteAnnounceable = announceableAt.map { FormattedTime($0, formatter.times) }
        let errors = FormErrors(error)
        let form = ProofField.beside(
            details.proof, for: isMe ? .leaveFamily : .removeParent,
            message: errors["password"] ?? errors.message ?? "",
            destination: pageURL, t)
        actions =
            parents.count == 1
            ? []
            : Self.actions(
                parent, isMe: isMe, isMaker: isMaker, canAnnounce: announceableAt == nil, proof: form, context.t,
                key: shell.idempotencyKey)
    }

    private static func actions(
        _ parent: Parent, isMe: Bool, isMaker: Bool, canAnnounce: Bool, proof: ProofField?,
        _ t: Translator, key: String
    ) -> [ParentAction] {
        let name = parent.member.name
        let url = FamilyPath.parent(parent.member.id)
        let pending = parent.removal.map { $0.refusedAt == nil } ?? false
        var actions: [ParentAction] = []
        if pending, isMe || parent.removal?.canWithdraw ?? false {
            actions.append(
                ParentAction(
                    url: url + "/removal?_method=delete",
                    label: isMe ? t("Refuse the removal") : t("Withdraw the removal"), key: key))
        }
        if isMe {
            actions.append(
                ParentAction(
                    url: url + "?_method=delete", label: t("Leave the family"), question: t("Leave the family?"),
                    note: t(
                        """
                        You will no longer see this family’s children, chores and points. They stay with the other \
                        parents, who are notified.
                        """
                    ), proof: proof, key: key))
        } else if isMaker {
            actions.append(
                ParentAction(
                    url: url + "?_method=delete", label: t("Remove {name}"),
                    question: t("Remove {name} from the family?"),
                    note: t("{name} no longer sees the children, chores and points. All parents are notified."),
                    name: name, proof: proof, key: key))
        } else if parent.removal == nil, canAnnounce {
            actions.append(
                ParentAction(
                    url: url + "/removal?_method=put", label: t("Announce the removal of {name}"),
                    question: t("Announce the removal of {name}?"),
                    note: t(
                        """
                        {name} will be removed in {n} day unless they refuse, or you or the parent who created this \
                        family withdraws the removal. All parents are notified.
                        """,
                        plural: """
                            {name} will be removed in {n} days unless they refuse, or you or the parent who created \
                            this family withdraws the removal. All parents are notified.
                            """,
                        count: Limits.removalNoticeSeconds.wholeDays), name: name, proof: proof, key: key))
        }
        return actions
    }
}

/// The announced or refused removal of a parent.
struct RemovalView: Sendable {
    let removalText: String
    let isPending: Bool
    let effective: FormattedTime

    init(
        _ removal: Removal, name: String, isMe: Bool, _ t: Translator, _ formatter: FamilyFormatter
    ) {
        isPending = removal.refusedAt == nil
        let text =
            isPending
            ? (isMe
                ? t("{who} wants to remove you from the family.") : t("{who} wants to remove {name} from the family."))
            : t("{name} refused the removal.")
        removalText = Translator.filled(text, ["name": name, "who": removal.by])
        effective = FormattedTime(removal.effectiveAt, formatter.times)
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
        let fill = { (text: String) in Translator.filled(text, ["name": name]) }
        actionURL = url
        actionLabel = fill(label)
        self.question = fill(question)
        questionNote = fill(note)
        isDangerous = !question.isEmpty
        actionKey = key
    }
}
