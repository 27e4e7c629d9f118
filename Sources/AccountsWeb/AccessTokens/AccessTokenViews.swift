import Accounts
import Kernel
import WebCore

/// The view of a person's access tokens.
struct AccessTokensPage: Sendable {
    let shell: Shell
    let newURL: String
    let hasTokens: Bool
    let tokens: [AccessTokenRow]

    init(_ context: SignedInContext, tokens: [AccessToken]) {
        newURL = AccessTokensController.newPath
        hasTokens = !tokens.isEmpty
        let now = context.web.clock.now
        self.tokens = tokens.map { AccessTokenRow($0, context.t, now: now) }
        shell = Shell(
            context, title: context.t("Access tokens"), menu: .settings(context), tab: "settings", isLargeTitle: false,
            back: ShellBack(url: "/account", label: context.t("Settings", context: "narrow button")),
            action: ShellAction(
                label: context.t("New access token"), icon: "plus", url: AccessTokensController.newPath))
    }
}

/// An access token in the list.
struct AccessTokenRow: Sendable {
    let id: String
    let name: String
    let rights: String
    let isExpired: Bool
    let expiry: FormattedTime
    /// When it was last used; `nil` if never.
    let use: FormattedTime?
    let revokeURL: String
    /// The question before the token is revoked.
    let question: String

    init(_ token: AccessToken, _ t: Translator, now: Instant) {
        let times = TimeFormatter(t, now: now)
        id = token.id.description
        name = token.name
        rights = token.scopes.sorted().map { $0.title(t) }.isolated(separator: " · ")
        isExpired = token.isExpired(at: now)
        expiry = FormattedTime(token.expiresAt, times)
        use = token.lastUsedAt.map { FormattedTime($0, times) }
        revokeURL = "\(AccessTokensController.path)/\(token.id)?_method=delete"
        question = t("Revoke “{name}”?", ["name": name])
    }
}

/// The values of the form for a new access token.
struct AccessTokenFormState: Sendable {
    var name = ""
    var scopes: [String] = []
    var days = Limits.usualAccessTokenDays
}

/// The view of the form for a new access token.
struct NewAccessTokenPage: Sendable {
    let shell: Shell
    let formURL: String
    let problem: String?
    let name: String
    let nameError: String?
    let nameLength: String
    let scopes: [AccessScopeChoice]
    let scopesError: String?
    let periods: [AccessTokenPeriod]
    let daysError: String?
    /// The password field, at the end of the form; `nil` if no password is asked for.
    let proof: ProofField?
    /// The proof on another page, which comes before the form is filled in; `nil` if none is needed.
    let firstProof: ProofField?

    init(_ context: SignedInContext, _ typed: AccessTokenFormState, proof: ProofState, error: AppError?) {
        let errors = FormErrors(error)
        let t = context.t
        formURL = AccessTokensController.path
        problem = errors.message
        name = typed.name
        nameError = errors["name"]
        nameLength = String(Limits.nameCharacters)
        scopes = AccessScope.allCases.map { AccessScopeChoice($0, isChosen: typed.scopes.contains($0.rawValue), t) }
        scopesError = errors["scopes"]
        periods = Limits.offeredAccessTokenDays.map { AccessTokenPeriod(days: $0, isChosen: $0 == typed.days, t) }
        daysError = errors["expiresInDays"]
        let field = ProofField.beside(
            proof, for: .createAccessToken, message: errors["password"] ?? "",
            destination: AccessTokensController.newPath, t)
        self.proof = proof == .password ? field : nil
        firstProof = proof == .elsewhere ? field : nil
        shell = Shell(
            context, title: t("New access token"), menu: .settings(context), tab: "settings", isLargeTitle: false,
            isNarrow: true, hasTabs: false,
            back: ShellBack(url: AccessTokensController.path, label: t("Cancel"), isCancel: true),
            action: ShellAction(label: t("Create"), formID: "access-token-form", isStrong: true))
    }
}

/// A right that a new token can have.
struct AccessScopeChoice: Sendable {
    let value: String
    let title: String
    let note: String
    let isChosen: Bool

    init(_ scope: AccessScope, isChosen: Bool, _ t: Translator) {
        value = scope.rawValue
        title = scope.title(t)
        note = scope.note(t)
        self.isChosen = isChosen
    }
}

/// A time after which a new token can expire.
struct AccessTokenPeriod: Sendable {
    let value: String
    let label: String
    let isChosen: Bool

    init(days: Int, isChosen: Bool, _ t: Translator) {
        value = String(days)
        label = t("{n} day", plural: "{n} days", count: days)
        self.isChosen = isChosen
    }
}

/// The view of a new access token with its secret.
struct AccessTokenSecretPage: Sendable {
    let shell: Shell
    let secret: String
    /// A command that tries the token, which must not be in the shell's history.
    let example: String
    let expiry: FormattedTime
    let doneURL: String

    init(_ context: SignedInContext, _ new: NewAccessToken) {
        secret = new.secret
        let path = new.token.scopes.sorted().first?.examplePath ?? "/account"
        example =
            #"curl -H "Accept: application/json" -H "Authorization: Bearer $HOMEWARD_TOKEN" "#
            + "\(context.site.url)\(path)"
        expiry = FormattedTime(new.token.expiresAt, TimeFormatter(context.t, now: context.web.clock.now))
        doneURL = AccessTokensController.path
        shell = Shell(
            context, title: new.token.name, menu: .settings(context), tab: "settings", isLargeTitle: false,
            isNarrow: true, hasTabs: false,
            back: ShellBack(url: AccessTokensController.path, label: context.t("Access tokens")))
    }
}

extension AccessScope {
    fileprivate func title(_ t: Translator) -> String {
        switch self {
        case .accountRead: t("See your account")
        case .trackingRead: t("See items")
        case .trackingWrite: t("Change items")
        case .familyRead: t("See the family")
        case .familyWrite: t("Change the family")
        case .carrepsaRead: t("See packages")
        case .carrepsaWrite: t("Offer and deliver packages")
        }
    }

    fileprivate func note(_ t: Translator) -> String {
        switch self {
        case .accountRead: t("Your profile, your photos, and the notifications of all apps.")
        case .trackingRead: t("Positions, history, trackers and safe places.")
        case .trackingWrite: t("Add, edit and delete items and safe places, and send commands to trackers.")
        case .familyRead: t("Children, chores, points, contracts and requests.")
        case .familyWrite: t("Add, edit and delete children and chores, and give points.")
        case .carrepsaRead: t("Packages, your wallet, and how to reach owners and carriers.")
        case .carrepsaWrite: t("Offer, accept and deliver packages. This moves money from your wallet.")
        }
    }

    fileprivate var examplePath: String {
        switch self {
        case .accountRead: "/account"
        case .trackingRead, .trackingWrite: "/tracking/items"
        case .familyRead, .familyWrite: "/family/children"
        case .carrepsaRead, .carrepsaWrite: "/carrepsa/packages"
        }
    }
}
