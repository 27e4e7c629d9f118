/// The texts of requests and of the pages about other parents.
struct FamilyParentStrings: Sendable {
    // A request for points
    let requestTitle: String
    let requestText: String
    let giveTitle: String
    let declineTitle: String
    let reason: String
    let reasonHint: String
    let moreRequests: String
    // A parent
    let maker: String
    let makerYou: String
    let announced: String
    let announcedOwn: String
    let effective: String
    let refused: String
    let isLeavingNote: String
    let leave: String
    let leaveQuestion: String
    let leaveNote: String
    let left: String
    let remove: String
    let removeQuestion: String
    let removeNote: String
    let removed: String
    let announce: String
    let announceQuestion: String
    let announceNote: String
    let announceableAt: String
    let announcedToast: String
    let withdraw: String
    let withdrawn: String
    let refuse: String
    let refusedToast: String
    let onlyParentNote: String
    // Invitations
    let openInvitations: String
    let invitedBy: String
    let invitedByYou: String
    let expires: String
    let revoke: String
    let revokeLabel: String
    let revoked: String
    // A child's own request
    let withdrawRequest: String
    let withdrawRequestLabel: String
    let requestWithdrawn: String
}

extension FamilyParentStrings {
    static let english = FamilyParentStrings(
        requestTitle: "Points for {name}",
        requestText: "{name} has done “{chore}”.",
        giveTitle: "Give points",
        declineTitle: "Or decline",
        reason: "Reason (optional)",
        reasonHint: "{name} can read it.",
        moreRequests: "Show all {n}",
        maker: "{name} created this family.",
        makerYou: "You created this family.",
        announced: "{who} wants to remove {name} from the family.",
        announcedOwn: "{who} wants to remove you from the family.",
        effective: "Takes effect",
        refused: "{name} refused the removal.",
        isLeavingNote: "Removal announced",
        leave: "Leave the family",
        leaveQuestion: "Leave the family?",
        leaveNote:
            "You will no longer see this family's children, chores and points. They stay with the other parents, who are notified.",
        left: "You left the family",
        remove: "Remove {name}",
        removeQuestion: "Remove {name} from the family?",
        removeNote: "{name} no longer sees the children, chores and points. All parents are notified.",
        removed: "{name} was removed",
        announce: "Announce the removal of {name}",
        announceQuestion: "Announce the removal of {name}?",
        announceNote:
            "{name} will be removed in 7 days unless they refuse, or you or the parent who created this family "
            + "withdraws the removal. All parents are notified.",
        announceableAt: "You can announce the removal of this parent from",
        announcedToast: "The removal of {name} was announced",
        withdraw: "Withdraw the removal",
        withdrawn: "{name} stays in the family",
        refuse: "Refuse the removal",
        refusedToast: "You stay in the family",
        onlyParentNote: "You are the only parent of this family.",
        openInvitations: "Open invitations",
        invitedBy: "By {name}",
        invitedByYou: "By you",
        expires: "Expires",
        revoke: "Revoke",
        revokeLabel: "Revoke the invitation, {by}",
        revoked: "The invitation was revoked",
        withdrawRequest: "Take back",
        withdrawRequestLabel: "Take back: I haven’t done “{chore}”",
        requestWithdrawn: "“{chore}” was taken back"
    )

    static let german = FamilyParentStrings(
        requestTitle: "Punkte für {name}",
        requestText: "{name} hat „{chore}“ erledigt.",
        giveTitle: "Punkte geben",
        declineTitle: "Oder ablehnen",
        reason: "Grund (freiwillig)",
        reasonHint: "{name} kann ihn lesen.",
        moreRequests: "Alle {n} anzeigen",
        maker: "{name} hat diese Familie angelegt.",
        makerYou: "Du hast diese Familie angelegt.",
        announced: "{who} will {name} aus der Familie entfernen.",
        announcedOwn: "{who} will dich aus der Familie entfernen.",
        effective: "Gilt ab",
        refused: "{name} hat dem Entfernen widersprochen.",
        isLeavingNote: "Entfernen angekündigt",
        leave: "Familie verlassen",
        leaveQuestion: "Die Familie verlassen?",
        leaveNote:
            "Du siehst die Kinder, Aufgaben und Punkte dieser Familie nicht mehr. Sie bleiben bei den anderen Eltern, die "
            + "davon erfahren.",
        left: "Du hast die Familie verlassen",
        remove: "{name} entfernen",
        removeQuestion: "{name} aus der Familie entfernen?",
        removeNote: "{name} sieht Kinder, Aufgaben und Punkte nicht mehr. Alle Eltern erfahren davon.",
        removed: "{name} wurde entfernt",
        announce: "Entfernen von {name} ankündigen",
        announceQuestion: "Das Entfernen von {name} ankündigen?",
        announceNote:
            "{name} wird in 7 Tagen entfernt, wenn {name} nicht widerspricht. Bis dahin kannst du das zurücknehmen, und auch "
            + "der Elternteil, der diese Familie angelegt hat. Alle Eltern erfahren davon.",
        announceableAt: "Du kannst das Entfernen dieses Elternteils ankündigen ab",
        announcedToast: "Das Entfernen von {name} wurde angekündigt",
        withdraw: "Entfernen zurücknehmen",
        withdrawn: "{name} bleibt in der Familie",
        refuse: "Dem Entfernen widersprechen",
        refusedToast: "Du bleibst in der Familie",
        onlyParentNote: "Du bist der einzige Elternteil dieser Familie.",
        openInvitations: "Offene Einladungen",
        invitedBy: "Von {name}",
        invitedByYou: "Von dir",
        expires: "Gilt bis",
        revoke: "Widerrufen",
        revokeLabel: "Die Einladung widerrufen, {by}",
        revoked: "Die Einladung wurde widerrufen",
        withdrawRequest: "Zurück\u{AD}nehmen",
        withdrawRequestLabel: "Zurücknehmen: Ich habe „{chore}“ nicht erledigt",
        requestWithdrawn: "„{chore}“ wurde zurückgenommen"
    )
}
