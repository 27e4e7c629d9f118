import Family
import Kernel
import WebCore

/// The list of the first steps on the dashboard of a new family.
struct FirstStepsPart: Sendable {
    let steps: [FirstStepRow]
    let hideURL: String
    let hideKey: String

    /// - Parameter child: the child whose pages the later steps open; `nil` before the first one is added.
    init(_ found: FirstSteps, child: Child?, key: String, t: Translator) {
        let name: KeyValuePairs = ["name": child?.name ?? ""]
        steps = [
            FirstStepRow(
                t("Add a child"), icon: "user", note: t("Name, date of birth and a theme"), url: FamilyPath.newChild,
                isDone: found.hasChild),
            FirstStepRow(
                t("Choose chores"), icon: "list", note: t("From our pictures, or with your own photo"),
                url: FamilyPath.starterChores, isDone: found.hasChore),
            FirstStepRow(
                t("Agree on a reward"), icon: "gift",
                note: child == nil
                    ? t("Once you’ve added a child") : t("What {name} gets, and for how many points", name),
                url: child.map { FamilyPath.newContract(of: $0.id) }, isDone: found.hasReward),
            FirstStepRow(
                t("Sign in your child’s device"), icon: "qr-code",
                note: child == nil
                    ? t("Once you’ve added a child") : t("{name} scans a code, without a password", name),
                url: child.map { FamilyPath.signInCodes(of: $0.id) }, isDone: found.hasDevice),
        ]
        hideURL = FamilyPath.firstSteps + "?_method=delete"
        hideKey = key
    }
}

/// One of the first steps.
struct FirstStepRow: Sendable {
    let stepTitle: String
    let stepIcon: String
    let stepNote: String
    /// `nil` for a step that is done or can't be done yet.
    let stepURL: String?
    let isDone: Bool

    init(_ title: String, icon: String, note: String, url: String?, isDone: Bool) {
        stepTitle = title
        stepIcon = isDone ? "check" : icon
        stepNote = note
        stepURL = isDone ? nil : url
        self.isDone = isDone
    }
}
