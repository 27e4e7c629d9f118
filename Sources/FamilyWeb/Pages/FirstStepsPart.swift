import Family
import Kernel
import WebCore

/// The list of the first steps on the dashboard of a new family.
struct FirstStepsPart: Sendable {
    let steps: [FirstStepRow]
    let hideURL: String
    let hideKey: String

    /// - Parameter children: the later steps name all of them, and open the pages of the first one.
    init(_ found: FirstSteps, children: [Child], key: String, t: Translator) {
        let child = children.first
        let name: KeyValuePairs = ["name": Self.list(children.map(\.name), t)]
        steps = [
            FirstStepRow(
                t("Add a child"), icon: "user", note: t("Name, date of birth and a theme"), url: FamilyPath.newChild,
                isDone: found.hasChild),
            FirstStepRow(
                t("Choose chores"), icon: "list", note: t("From our pictures, or with your own photo"),
                url: FamilyPath.starterChores, isDone: found.hasChore),
            FirstStepRow(
                t("Who does what, and when"), icon: "sun",
                note: found.hasChore ? t("Choose the days of each chore") : t("Once you’ve added chores"),
                url: found.hasChore && child != nil ? FamilyPath.chores : nil, isDone: found.hasPlan),
            FirstStepRow(
                t("Agree on a reward"), icon: "gift",
                note: child == nil
                    ? t("Once you’ve added a child")
                    : children.count == 1
                        ? t("What {name} gets, and for how many points", name)
                        : t("What {name} get, and for how many points", name),
                url: child.map { FamilyPath.newContract(of: $0.id) }, isDone: found.hasReward),
            FirstStepRow(
                t("Sign in your child’s device"), icon: "qr-code",
                note: child == nil
                    ? t("Once you’ve added a child")
                    : children.count == 1
                        ? t("{name} scans a code, without a password", name)
                        : t("{name} scan a code each, without a password", name),
                url: child.map { FamilyPath.signInCodes(of: $0.id) }, isDone: found.hasDevice),
        ]
        hideURL = FamilyPath.firstSteps + "?_method=delete"
        hideKey = key
    }

    /// `Mia, Ben and Zoé`.
    private static func list(_ names: [String], _ t: Translator) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return t("{first} and {last}", ["first": names.dropLast().isolated(separator: ", "), "last": last])
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
