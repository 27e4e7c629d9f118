import Accounts
import Kernel
import WebCore

/// A button that leads to a provider. The icons are our own, because vendors' logos have license terms.
struct ProviderButton: Sendable {
    let url: String
    /// The name in paths and CSS classes.
    let name: String
    /// The text below the icon.
    let label: String
    /// The label for screen readers.
    let spoken: String
    let isApple: Bool
    let isGoogle: Bool
    let isFacebook: Bool
    /// Whether it is the generic provider, which the administrator named.
    let isOther: Bool

    init(_ provider: ProviderSummary, url: String, spoken: String) {
        self.url = url
        self.spoken = spoken
        name = provider.name.rawValue
        label = provider.label
        isApple = provider.name == .apple
        isGoogle = provider.name == .google
        isFacebook = provider.name == .facebook
        isOther = provider.name == .oidc
    }
}

/// The sign-in page's message about a provider: the outcome of an attempt, or an offered identity.
struct ProviderNotice: Sendable {
    let text: String
    /// Whether it is an error.
    let isProblem: Bool
    /// Whether an identity is offered for linking.
    let isOffer: Bool
    /// The label of the link to continue without linking.
    let withoutLinking: String

    init(_ outcome: SignInOutcome, _ provider: ProviderSummary, email: String? = nil, _ t: Translator) {
        text = Translator.filled(outcome.text(t), ["name": provider.label, "email": email ?? ""])
        isProblem = outcome != .cancelled && outcome != .offered
        isOffer = outcome == .offered
        withoutLinking = t("Sign in without linking {name}", ["name": provider.label])
    }
}

/// The outcome of an attempt in the URL of the sign-in page.
enum SignInOutcome: String, Sendable {
    case cancelled, failed, unavailable, expired, offered, closed, uninvited, disabled
}

/// The view of a person's ways to sign in.
struct IdentitiesPage: Sendable {
    let shell: Shell
    let passwordLabel: String
    let passwordState: String
    /// The error message.
    let problem: String?
    let providers: [IdentityRow]

    init(_ context: SignedInContext, methods: SignInMethods, providers: [ProviderSummary], error: AppError?) {
        let t = context.t
        passwordLabel = t("Password")
        passwordState = methods.hasPassword ? context.t("Set") : context.t("Not set")
        problem = error?.message
        self.providers = providers.map { provider in
            IdentityRow(provider, identity: methods.identities.first { $0.provider == provider.name }, t)
        }
        shell = Shell(
            context, title: context.t("Ways to sign in"), menu: .settings(context), tab: "settings",
            isLargeTitle: false,
            back: ShellBack(url: "/account", label: t("Settings", context: "narrow button"))
        )
    }
}

/// One provider in the list.
struct IdentityRow: Sendable {
    let name: String
    let label: String
    let isLinked: Bool
    /// The email at the provider, or whether it is linked.
    let note: String
    /// The question before it is removed.
    let question: String

    init(_ provider: ProviderSummary, identity: LinkedIdentity?, _ t: Translator) {
        name = provider.name.rawValue
        label = provider.label
        isLinked = identity != nil
        note = identity.map { $0.email ?? t("Linked") } ?? t("Not linked")
        question = t("Remove {name}? You can no longer sign in with it.", ["name": provider.label])
    }
}

/// The page before a provider for browsers without scripts: a form's response must not redirect to another site.
struct ProviderRedirectPage: Sendable {
    let shell: Shell
    let providerURL: String
    let label: String
    let note: String

    init(_ context: SignedInContext, _ provider: ProviderSummary, url: String, back: String) {
        providerURL = url
        label = context.t("Continue with {name}", ["name": provider.label])
        note = context.t("You go to {name} now and come back here.", ["name": provider.label])
        shell = Shell(
            context, title: provider.label, menu: .settings(context), tab: "settings", isLargeTitle: false,
            isNarrow: true, hasTabs: false,
            back: ShellBack(url: back, label: context.t("Cancel"), isCancel: true)
        )
    }
}

/// The part of a form that replaces the password field for an account without a password.
struct ConfirmationPart: Sendable {
    /// Whether a proof is stored.
    let isConfirmed: Bool
    /// The act that the form is for.
    let act: String
    /// The path to continue with.
    let destination: String
    /// Whether to show the request to use a provider.
    let asksService: Bool
    /// The page for a proof by passkey; `nil` where there is none.
    let otherWays: String?
    let otherWaysLabel: String
    let buttons: [ProviderButton]
    /// The linked providers that can't give a proof, each with the reason.
    let others: [String]
    /// The link by mail, where none of the linked providers can give a proof.
    let byMail: MailedProof?
    /// The same, where the address was never confirmed. The mailed link then confirms it first.
    let byVerification: String?
    /// The same, where no mail can be sent.
    let byOperator: String?

    /// - Parameters:
    ///   - providers: the providers that are set up.
    ///   - sendsMail: whether the server sends mail.
    init(
        _ context: SignedInContext, act: SensitiveAct, methods: SignInMethods, providers: ProviderCatalog,
        sendsMail: Bool, destination: String
    ) {
        self.act = act.rawValue
        self.destination = destination
        isConfirmed = methods.isConfirmed
        let linkedNames = Set(methods.identities.map(\.provider))
        let linked = providers.summaries.filter { linkedNames.contains($0.name) }
        buttons = linked.filter { providers.canConfirm($0.name) }.map { provider in
            ProviderButton(provider, url: "", spoken: context.t("Confirm with {name}", ["name": provider.label]))
        }
        let isOnProofPage = destination.hasPrefix("/account/proofs/")
        asksService = !buttons.isEmpty && !methods.hasPassword
        otherWays = methods.hasPasskeys && !isOnProofPage ? act.proofURL(returningTo: destination) : nil
        otherWaysLabel = context.t("Confirm with a passkey")
        others = linked.filter { !providers.canConfirm($0.name) }.map {
            context.t(
                "{name} can’t show that it has just asked you who you are, so it can’t confirm this.",
                ["name": $0.label])
        }
        let isStuck = buttons.isEmpty && !methods.hasPasskeys && !methods.hasPassword
        let email = isStuck && sendsMail ? context.account.email : nil
        let isEmailConfirmed = context.account.emailVerifiedAt != nil
        byMail = isEmailConfirmed ? email.map { MailedProof(email: $0, context.t) } : nil
        byVerification =
            isEmailConfirmed
            ? nil
            : email.map {
                context.t(
                    "Confirm your email address first: send the link to {email} again, open it, then come back.",
                    ["email": $0])
            }
        byOperator =
            isStuck && email == nil
            ? context.t("Ask the administrator of this server for a link to choose a password.") : nil
    }
}

extension SensitiveAct {
    /// The URL of the page that asks for a proof, and then continues to the act's page.
    var proofURL: String { proofURL(returningTo: page) }
}

/// A new password by a mailed link, for a person who can give no other proof.
struct MailedProof: Sendable {
    let email: String
    let note: String

    init(email: String, _ t: Translator) {
        self.email = email
        note = t(
            """
            Choose a password instead, by a link that is sent to {email}. That signs you out everywhere and takes \
            the linked services off; you can link them again.
            """,
            ["email": email])
    }
}

/// The view of the page that asks for a proof before a provider is linked.
struct LinkPage: Sendable {
    let shell: Shell
    /// The value in the form.
    let name: String
    let note: String
    /// For password managers.
    let email: String
    /// The error message above the form.
    let problem: String?
    let fields: [FormField]
    /// For an account without a password.
    let confirmation: ConfirmationPart?
    /// Whether no proof is needed first.
    let isReady: Bool
    /// The page for a proof other than the password; `nil` where there is none.
    let otherProof: String?
    let otherProofLabel: String

    init(_ context: SignedInContext, _ provider: ProviderSummary, confirmation: ConfirmationPart?, error: AppError?) {
        let t = context.t
        name = provider.name.rawValue
        note = context.t("Then you can sign in with {name} as well.", ["name": provider.label])
        email = context.account.email ?? ""
        let errors = FormErrors(error)
        problem = errors.message ?? (confirmation == nil ? nil : errors["password"])
        fields = confirmation == nil ? [.password(t, label: t("Password"), errors: errors)] : []
        self.confirmation = confirmation
        isReady = confirmation?.isConfirmed ?? true
        otherProof =
            confirmation == nil
            ? SensitiveAct.linkIdentity.proofURL(returningTo: "/account/identities/\(provider.name.rawValue)") : nil
        otherProofLabel = t("Confirm in another way")
        shell = Shell(
            context, title: context.t("Link {name}", ["name": provider.label]), menu: .settings(context),
            tab: "settings",
            isLargeTitle: false,
            isNarrow: true, hasTabs: false,
            back: ShellBack(
                url: "/account/identities", label: t("Cancel"), isCancel: true)
        )
    }
}

/// The provider resource.
struct IdentityJSON: Encodable {
    let provider: String
    let label: String
    let linked: Bool
    @Nullable var email: String?
    @Nullable var linkedAt: Instant?

    init(_ provider: ProviderSummary, _ identity: LinkedIdentity?) {
        self.provider = provider.name.rawValue
        label = provider.label
        linked = identity != nil
        email = identity?.email
        linkedAt = identity?.linkedAt
    }
}

/// The URL to continue at.
struct RedirectJSON: Encodable {
    let url: String
}

extension SignInOutcome {
    /// Returns the message with the placeholders `name`, for the provider, and `email`.
    func text(_ t: Translator) -> String {
        switch self {
        case .cancelled: t("You cancelled signing in with {name}. Nothing was saved.")
        case .failed: t("Signing in with {name} didn’t work. Try again, or sign in another way.")
        case .unavailable: t("{name} can’t be reached right now. Try again later, or sign in another way.")
        case .expired: t("This sign-in expired or was started in another window. Start again.")
        case .closed:
            t("There is no account here for this {name} account, and registration is closed on this server.")
        case .uninvited:
            t(
                """
                There is no account here for this {name} account, and you need an invitation to sign up. Ask a \
                parent of the household or the administrator.
                """
            )
        case .disabled: t("This account is disabled. Contact the administrator of this server.")
        case .offered:
            t(
                """
                There is an account with {email} here already. Sign in to it the way you always do: that shows \
                that it is yours. Then {name} is linked to it, and next time you can use that.
                """
            )
        }
    }
}
