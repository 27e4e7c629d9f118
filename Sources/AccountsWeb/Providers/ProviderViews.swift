import Accounts
import Kernel
import WebCore

/// A button that leads to a provider. There are marks of our own, as vendors' logos come with terms.
struct ProviderButton: Sendable {
    let url: String
    /// In paths and class names.
    let name: String
    /// Below the mark.
    let label: String
    /// Read out.
    let spoken: String
    let isApple: Bool
    let isGoogle: Bool
    let isFacebook: Bool
    /// Another one, which the operator named.
    let isOther: Bool

    init(_ face: ProviderFace, url: String, spoken: String) {
        self.url = url
        self.spoken = spoken
        name = face.name.rawValue
        label = face.label
        isApple = face.name == .apple
        isGoogle = face.name == .google
        isFacebook = face.name == .facebook
        isOther = face.name == .oidc
    }
}

/// What the sign-in page says about a provider: how an attempt went, or what waits to be linked.
struct ProviderNotice: Sendable {
    let text: String
    /// Something went wrong.
    let isProblem: Bool
    /// An identity waits to be linked.
    let isOffer: Bool
    /// To be said beside the link that leads on without it.
    let withoutLinking: String

    init(_ outcome: SignInOutcome, _ face: ProviderFace, email: String? = nil, _ words: ProviderStrings) {
        let sentence =
            switch outcome {
            case .cancelled: words.cancelled
            case .failed: words.failed
            case .unavailable: words.unavailable
            case .expired: words.expired
            case .closed: words.closed
            case .uninvited: words.uninvited
            case .offered: words.offered.replacing("EMAIL", with: email ?? "")
            }
        text = sentence.naming(face)
        isProblem = outcome != .cancelled && outcome != .offered
        isOffer = outcome == .offered
        withoutLinking = words.withoutLinking.naming(face)
    }
}

/// How an attempt to sign in went, as the address of the sign-in page says it.
enum SignInOutcome: String, Sendable {
    case cancelled, failed, unavailable, expired, offered, closed, uninvited
}

/// The ways in that somebody has.
struct IdentitiesPage: Sendable {
    let shell: Shell
    let words: ProviderStrings
    let passwordLabel: String
    let passwordState: String
    /// What is wrong.
    let problem: String?
    let providers: [IdentityRow]

    init(_ context: SignedInContext, ways: SignInWays, faces: [ProviderFace], error: AppError?) {
        let t = context.strings
        let words = context.providerStrings
        self.words = words
        passwordLabel = t.password
        passwordState = ways.hasPassword ? words.passwordSet : words.passwordUnset
        problem = error?.message
        providers = faces.map { face in
            IdentityRow(face, identity: ways.identities.first { $0.provider == face.name }, words)
        }
        shell = Shell(
            context, title: words.ways, menu: .settings(context), tab: "settings", isLargeTitle: false,
            back: ShellBack(url: "/account", label: t.settings)
        )
    }
}

/// One provider among the ways in.
struct IdentityRow: Sendable {
    let name: String
    let label: String
    let isLinked: Bool
    /// The email there, or whether it is linked.
    let note: String
    /// Asked before it is removed.
    let question: String

    init(_ face: ProviderFace, identity: LinkedIdentity?, _ words: ProviderStrings) {
        name = face.name.rawValue
        label = face.label
        isLinked = identity != nil
        note = identity.map { $0.email ?? words.linked } ?? words.notLinked
        question = words.unlinkQuestion.naming(face)
    }
}

/// The last step before a provider, for browsers without script: a form's answer must not lead to another site there.
struct DeparturePage: Sendable {
    let shell: Shell
    let providerURL: String
    let label: String
    let note: String

    init(_ context: SignedInContext, _ face: ProviderFace, url: String, back: String) {
        let words = context.providerStrings
        providerURL = url
        label = words.continueWith.naming(face)
        note = words.continueNote.naming(face)
        shell = Shell(
            context, title: face.label, menu: .settings(context), tab: "settings", isLargeTitle: false, isNarrow: true,
            hasTabs: false,
            back: ShellBack(url: back, label: ShellStrings.of(context.language).cancel, isCancel: true)
        )
    }
}

/// What stands in the place of a password, for an account that has none.
struct ConfirmationPart: Sendable {
    let words: ProviderStrings
    /// It was confirmed a moment ago.
    let isConfirmed: Bool
    /// The act that the form confirms.
    let act: String
    /// Where it goes on.
    let destination: String
    /// Says that a service is asked.
    let asksService: Bool
    /// The page for confirming by a passkey; `nil` where there is none.
    let otherWays: String?
    let otherWaysLabel: String
    let buttons: [ProviderButton]
    /// What linked services are no help.
    let others: [String]
    /// How else to go on, where none of them is a help.
    let byMail: MailedProof?
    /// The same, where the address was never confirmed: the link goes there for that first.
    let byVerification: String?
    /// The same, where no mail can be sent.
    let byOperator: String?

    /// - Parameters:
    ///   - providers: those that are set up.
    ///   - sendsMail: whether a link can be sent.
    init(
        _ context: SignedInContext, act: SensitiveAct, ways: SignInWays, providers: ProviderSignIn, sendsMail: Bool,
        destination: String
    ) {
        let words = context.providerStrings
        let proof = ProofStrings.of(context.language)
        self.words = words
        self.act = act.rawValue
        self.destination = destination
        isConfirmed = ways.isConfirmed
        let linked = providers.faces.filter { face in ways.identities.contains { $0.provider == face.name } }
        buttons = linked.filter { providers.canConfirm($0.name) }.map { face in
            ProviderButton(face, url: "", spoken: words.confirmWith.naming(face))
        }
        let isOnProofPage = destination.hasPrefix("/account/proofs/")
        asksService = !buttons.isEmpty && !ways.hasPassword
        otherWays = ways.hasPasskeys && !isOnProofPage ? act.proofURL(returning: destination) : nil
        otherWaysLabel = proof.usePasskey
        others = linked.filter { !providers.canConfirm($0.name) }.map { words.cannotConfirm.naming($0) }
        let isStuck = buttons.isEmpty && !ways.hasPasskeys && !ways.hasPassword
        let email = isStuck && sendsMail ? context.account.email : nil
        let isEmailConfirmed = context.account.emailVerifiedAt != nil
        byMail = isEmailConfirmed ? email.map { MailedProof(email: $0, words) } : nil
        byVerification =
            isEmailConfirmed ? nil : email.map { proof.confirmAddressFirst.replacing("EMAIL", with: $0) }
        byOperator = isStuck && email == nil ? words.passwordByOperator : nil
    }
}

extension SensitiveAct {
    /// The page that asks for a proof.
    /// - Parameter destination: where to go then; `nil` for the act's page.
    func proofURL(returning destination: String? = nil) -> String {
        "/account/proofs/\(rawValue)?return=" + PathSegment.encoded(destination ?? page)
    }
}

/// A password by a link, for who can confirm nothing otherwise.
struct MailedProof: Sendable {
    let email: String
    let note: String

    init(email: String, _ words: ProviderStrings) {
        self.email = email
        note = words.passwordByMail.replacing("EMAIL", with: email)
    }
}

/// The question before a service is linked.
struct LinkPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    let words: ProviderStrings
    /// In the form.
    let name: String
    let note: String
    /// For password managers.
    let email: String
    /// What is wrong with the whole form.
    let problem: String?
    let fields: [FormField]
    /// For an account without a password.
    let confirmation: ConfirmationPart?
    /// Nothing has to be confirmed first.
    let isReady: Bool
    /// Where it is confirmed in another way than by the password; `nil` where that is no choice.
    let otherProof: String?
    let otherProofLabel: String

    init(_ context: SignedInContext, _ face: ProviderFace, confirmation: ConfirmationPart?, error: AppError?) {
        let t = context.strings
        let words = context.providerStrings
        self.t = t
        self.words = words
        name = face.name.rawValue
        note = words.linkNote.naming(face)
        email = context.account.email ?? ""
        let errors = FormErrors(error)
        problem = errors.message ?? (confirmation == nil ? nil : errors["password"])
        fields = confirmation == nil ? [.password(t, label: t.password, errors: errors)] : []
        self.confirmation = confirmation
        isReady = confirmation?.isConfirmed ?? true
        otherProof =
            confirmation == nil
            ? SensitiveAct.linkIdentity.proofURL(returning: "/account/identities/\(face.name.rawValue)") : nil
        otherProofLabel = ProofStrings.of(context.language).anotherWay
        shell = Shell(
            context, title: words.linkTitle.naming(face), menu: .settings(context), tab: "settings",
            isLargeTitle: false,
            isNarrow: true, hasTabs: false,
            back: ShellBack(
                url: "/account/identities", label: ShellStrings.of(context.language).cancel, isCancel: true)
        )
    }
}

/// A provider as clients see it.
struct IdentityJSON: Encodable {
    let provider: String
    let label: String
    let linked: Bool
    @Nullable var email: String?
    @Nullable var linkedAt: Instant?

    init(_ face: ProviderFace, _ identity: LinkedIdentity?) {
        provider = face.name.rawValue
        label = face.label
        linked = identity != nil
        email = identity?.email
        linkedAt = identity?.linkedAt
    }
}

/// Where to go next.
struct DepartureJSON: Encodable {
    let url: String
}
