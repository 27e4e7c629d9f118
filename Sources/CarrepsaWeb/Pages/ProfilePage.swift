import Accounts
import Carrepsa
import Kernel
import WebCore

/// The view model of the reader's profile: wallet, contact details, reviews and links for administrators.
struct ProfilePage: Sendable {
    let shell: Shell
    let profileURL: String
    let entriesURL: String
    let balanceText: String
    let heldText: String
    let rows: [ProfileRow]
    /// A new email address that awaits confirmation; `nil` for none.
    let waiting: PendingEmailView?
    let reputation: ReputationView
    let isOperator: Bool
    let disputesURL: String
    let ledgerURL: String

    /// - Parameter proof: the proof that a change of the email requires.
    init(
        _ context: SignedInContext, account: Account, proof: ProofState, wallet: Wallet, reputation: Reputation,
        t: Translator, formatter: CarrepsaFormatter
    ) {
        shell = Shell(
            context, title: t("Profile"), menu: .carrepsa(t), tab: CarrepsaTab.profile.rawValue,
            isRefreshable: true
        )
        profileURL = CarrepsaPath.profile
        entriesURL = CarrepsaPath.entries
        balanceText = formatter.money(wallet.balance)
        heldText = formatter.money(wallet.held)
        let key = shell.idempotencyKey
        waiting = account.pendingEmail.map { PendingEmailView($0, destination: CarrepsaPath.profile, t) }
        rows = [
            ProfileRow(.name, label: t("Name"), icon: "user", value: account.name, key: key, t),
            ProfileRow(.phone, label: t("Phone"), icon: "phone", value: account.phone ?? "", key: key, t),
            ProfileRow(
                .email, label: t("Mail"), icon: "mail", value: account.email ?? "", key: key, t,
                waiting: waiting?.waitingText ?? "",
                proof: ProofField.beside(proof, destination: CarrepsaPath.profile, t)),
        ]
        self.reputation = ReputationView(reputation, t, formatter.times)
        isOperator = account.isOperator
        disputesURL = CarrepsaPath.disputes
        ledgerURL = CarrepsaPath.ledger
    }
}

/// A row with a button that opens the popup to change name, phone or email.
struct ProfileRow: Sendable {
    let rowIcon: String
    let rowLabel: String
    let rowValue: String
    /// The separate page for browsers without JavaScript.
    let pageURL: String
    let sheetID: String
    let popup: FieldSheet

    init(
        _ field: FieldSheet.Kind, label: String, icon: String, value: String, key: String, _ t: Translator,
        waiting: String = "", proof: ProofField? = nil
    ) {
        rowIcon = icon
        rowLabel = label
        rowValue = value.isEmpty ? t("Not given") : value
        pageURL = "/account/fields/\(field.rawValue)"
        sheetID = "popup-\(field.rawValue)"
        let hint: String? =
            switch field {
            case .name: nil
            case .phone: t("Best with country code, such as +49 151 23456789")
            case .email: t("You sign in with it.")
            }
        popup = FieldSheet(
            field, label: label, value: value, hint: hint, message: "", destination: CarrepsaPath.profile, key: key,
            waiting: waiting, proof: proof)
    }
}

/// The view model of another person's profile.
struct ContactPage: Sendable {
    let shell: Shell
    /// The URL that live updates load. Includes the package, which determines the back link.
    let reloadURL: String
    let contacts: [ContactRow]
    let hasContacts: Bool
    let reputation: ReputationView

    /// - Parameter package: the package whose page links here.
    init(_ context: SignedInContext, _ person: OtherParty, package: ID<Package>?, t: Translator) {
        let back = package.map { ShellBack(url: CarrepsaPath.package($0), label: t("Package")) }
        shell = Shell(
            context, title: person.name, menu: .carrepsa(t), isRefreshable: true,
            back: back ?? ShellBack(url: CarrepsaPath.packages, label: t("Search"))
        )
        reloadURL = CarrepsaPath.person(person.id) + (package.map { "?package=\($0)" } ?? "")
        contacts = [
            person.phone.map {
                ContactRow(
                    contactIcon: "phone", contactLabel: t("Phone"), contactText: $0, contactURL: "tel:\($0)",
                    contactAction: t("Call")
                )
            },
            person.email.map {
                ContactRow(
                    contactIcon: "mail", contactLabel: t("Mail"), contactText: $0,
                    contactURL: "mailto:" + PercentEncoding.encoded($0).replacing("%40", with: "@"),
                    contactAction: t("Write")
                )
            },
        ].compactMap(\.self)
        hasContacts = !contacts.isEmpty
        reputation = ReputationView(person.reputation, t, TimeFormatter(t, now: context.web.clock.now))
    }
}

/// A phone number or email address with its link.
struct ContactRow: Sendable {
    let contactIcon: String
    let contactLabel: String
    let contactText: String
    let contactURL: String
    let contactAction: String
}
