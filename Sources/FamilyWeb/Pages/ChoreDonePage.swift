import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The typed values of the form with which a child reports a chore.
struct ChoreDoneFormState: Sendable {
    /// The date of the occurrence; empty for none.
    var occurrence = ""
    var from = ""
    /// Whether the child taps the pictures of its picture PIN first.
    var hasPicturePIN = false
    var steps: Set<String> = []
    /// The photo's id; empty for none.
    var photo = ""
}

/// The page on which a child ticks off the steps of a chore and adds a photo.
struct ChoreDonePage: Sendable {
    let shell: Shell
    let formAction: String
    let isOnTablet: Bool
    /// The pad of the child's picture PIN on a shared tablet; `nil` without one.
    let pad: PicturePad?
    /// The page to which the page returns when it isn't used; `nil` on a device of one person.
    let tabletURL: String?
    let personID: String
    let choreID: String
    let occurrence: String
    let from: String
    let choreName: String
    let chorePictureURL: String
    let steps: [DoneStep]
    let hasSteps: Bool
    let stepsError: String
    /// The name under which the browser keeps the ticks.
    let stepsKey: String
    /// `nil` if the chore needs no photo.
    let photo: PhotoField?
    let problem: String?

    init(_ context: SignedInContext, _ chore: Chore, typed: ChoreDoneFormState, error: AppError?) {
        let t = context.t
        let child = context.actor.person
        isOnTablet = context.isOnSharedDevice
        pad = typed.hasPicturePIN ? PicturePad(child, isWrong: error?.fields["pin"] != nil, t) : nil
        tabletURL = isOnTablet ? FamilyPath.tablet : nil
        personID = child.description
        let back =
            isOnTablet
            ? FamilyPath.tabletChild(child)
            : typed.from == RequestRow.today ? FamilyPath.today : FamilyPath.child(child)
        shell = .modal(context, title: chore.name, back: back, t)
        formAction = isOnTablet ? FamilyPath.tabletRequests(of: child) : FamilyPath.requests(of: child)
        choreID = chore.id.description
        occurrence = typed.occurrence
        from = typed.from
        choreName = chore.name
        chorePictureURL = FamilyPath.picture(chore.pictureID, size: .medium)
        steps = chore.steps.enumerated().map { DoneStep($1, index: $0, isTicked: typed.steps.contains($1)) }
        hasSteps = !steps.isEmpty
        stepsKey = isOnTablet ? "\(child) \(chore.id) \(typed.occurrence)" : "\(chore.id) \(typed.occurrence)"
        let errors = FormErrors(error)
        stepsError = errors["steps"] ?? ""
        problem = errors["pin"] ?? errors.message
        let picture = ID<Picture>(typed.photo)
        photo =
            chore.needsPhoto
            ? PhotoField(
                pictureID: picture?.description ?? "",
                imageURL: picture.map { FamilyPath.picture($0, size: .medium) },
                error: errors["picture"] ?? errors["pictureId"] ?? "", label: t("Photo of what you have done"))
            : nil
    }
}

/// A step with its checkbox.
struct DoneStep: Sendable {
    let stepID: String
    let stepText: String
    let isTicked: Bool

    init(_ text: String, index: Int, isTicked: Bool) {
        stepID = "step-\(index)"
        stepText = text
        self.isTicked = isTicked
    }
}
