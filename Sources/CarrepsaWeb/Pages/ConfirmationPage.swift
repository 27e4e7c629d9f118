import Carrepsa
import Kernel
import WebCore

/// The view model of the confirmation page for an action that asks first, for browsers without JavaScript.
struct ConfirmationPage: Sendable {
    let shell: Shell
    let note: String
    let actionURL: String
    let version: String
    let label: String
    let style: String
    let packageURL: String
    let keepLabel: String
    let readLines: [String]

    init(_ context: SignedInContext, _ details: PackageDetails, _ button: PackageActionButton, t: Translator) {
        let package = details.package
        packageURL = CarrepsaPath.package(package.id)
        shell = Shell(
            context, title: button.question, menu: .carrepsa(t), tab: PackageBackLink(details.role).tab.rawValue,
            isLargeTitle: false, isNarrow: true, back: ShellBack(url: packageURL, label: package.title)
        )
        keepLabel = button.isDanger ? t("Keep it") : t("Cancel")
        readLines = button.readLines
        note = button.questionNote
        actionURL = button.actionURL
        version = button.version
        label = button.label
        style = button.style
    }
}
