import Accounts
import Kernel
import WebCore

/// The start page: the three apps, and the ways in.
struct StartPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    let isSignedIn: Bool
    /// Whether the way to a new account is shown.
    let offersRegistration: Bool
    /// Greets whoever is signed in.
    let hello: String?
    let tiles: [AppTile]

    init(_ context: some WebContext) {
        t = context.strings
        let account = context.identity?.account
        isSignedIn = account != nil
        offersRegistration = context.site.offersRegistration()
        hello = account.map { [t] in t.hello.replacing("NAME", with: $0.name) }
        shell = Shell(
            context, title: t.product, menu: .home(context), tab: AppMenu.homeID, isNarrow: account == nil,
            hasTabs: account != nil
        )
        tiles = [
            AppTile(
                app: "tracking", title: t.tracking, note: t.trackingNote, icon: "map-pin", url: "/tracking/items"
            ),
            AppTile(app: "family", title: t.family, note: t.familyNote, icon: "users", url: "/family"),
            AppTile(app: "carrepsa", title: t.carrepsa, note: t.carrepsaNote, icon: "package", url: "/carrepsa"),
        ]
    }
}

/// An app on the start page.
struct AppTile: Sendable {
    /// Decides the accent.
    let app: String
    let title: String
    let note: String
    let icon: String
    let url: String
}

/// Sign-in.
struct SignInPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    /// What is wrong with the whole form.
    let problem: String?
    let fields: [FormField]
    /// Where to go then; empty for the usual place.
    let destination: String
    /// The same, for the link to registration; `nil` where there is none.
    let registerURL: String?
    let submitLabel: String
    let words: ProviderStrings
    let hasProviders: Bool
    /// Other services by which one can come in.
    let providers: [ProviderButton]
    /// How it went with one of them.
    let notice: ProviderNotice?
    /// Leads on without linking what waits to be linked.
    let plainURL: String
    /// The way in without a password.
    let passkey: PasskeyForm

    init(
        _ context: some WebContext, email: String, destination: Destination, providers: [ProviderButton],
        notice: ProviderNotice?, error: AppError?
    ) {
        t = context.strings
        words = context.providerStrings
        self.providers = providers
        hasProviders = !providers.isEmpty
        self.notice = notice
        plainURL = destination.carried(to: "/sign-in")
        let isOffer = notice?.isOffer ?? false
        passkey = .signingIn(context.passkeyStrings, destination: destination.asked, isOffer: isOffer)
        let errors = FormErrors(error)
        problem = errors.message
        fields = [
            .signInEmail(t, value: email, errors: errors), .password(t, label: t.password, errors: errors),
        ]
        self.destination = destination.asked
        let isOffered = context.site.offersRegistration(destination: destination.asked)
        registerURL = isOffered ? destination.carried(to: "/register") : nil
        submitLabel = destination.app == .carrepsa ? t.logIn : t.signIn
        // Children come in by a code.
        let scan = ShellAction(label: t.scanCode, icon: "scan", url: "/family/scan")
        shell = .door(
            context, title: submitLabel, app: destination.app, back: .welcome(of: destination.app, t),
            action: destination.app == .carrepsa ? nil : scan
        )
    }
}

/// Registration.
struct RegisterPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    /// Why there is no form; `nil` where there is one.
    let closedText: String?
    /// What is wrong with the whole form.
    let problem: String?
    let fields: [FormField]
    /// The app that the person comes for.
    let app: String
    /// Where to go then; empty for the usual place.
    let destination: String
    /// The same, for the link to sign-in.
    let signInURL: String
    let submitLabel: String
    let words: ProviderStrings
    let hasProviders: Bool
    /// Other services by which one can come in, which makes an account the first time.
    let providers: [ProviderButton]

    init(
        _ context: some WebContext, app: AppName, destination: Destination, typed: TypedProfile,
        providers: [ProviderButton], error: AppError?
    ) {
        t = context.strings
        words = context.providerStrings
        self.providers = providers
        hasProviders = !providers.isEmpty
        closedText = Self.closedText(context, destination)
        let errors = FormErrors(error)
        problem = errors.message ?? errors["app"]
        var fields: [FormField] = [
            .name(t, value: typed.name, errors: errors), .email(t, value: typed.email, errors: errors),
            .newPassword(t, label: t.password, errors: errors),
        ]
        if app.needsDateOfBirth {
            fields.append(
                .dateOfBirth(t, value: typed.dateOfBirth, errors: errors, now: context.web.clock.now))
        }
        if app.needsPhone { fields.append(.phone(t, value: typed.phone, errors: errors)) }
        self.fields = fields
        self.app = app.rawValue
        self.destination = destination.asked
        signInURL = destination.carried(to: "/sign-in")
        submitLabel = app == .carrepsa ? t.signUp : t.register
        shell = .door(context, title: submitLabel, app: app, back: .welcome(of: app, t))
    }

    private static func closedText(_ context: some WebContext, _ destination: Destination) -> String? {
        guard !context.site.offersRegistration(destination: destination.asked) else { return nil }
        let message: AccountMessage =
            context.site.registration == .closed ? .registrationClosed : .invitationNeeded
        return AccountMessage.translation(of: message.rawValue, to: context.language) ?? message.rawValue
    }
}

/// Forgotten password.
struct ForgottenPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    let sendsMail: Bool
    let isSent: Bool
    /// What is wrong with the whole form.
    let problem: String?
    let fields: [FormField]

    init(_ context: some WebContext, sendsMail: Bool, isSent: Bool, email: String, error: AppError?) {
        t = context.strings
        self.sendsMail = sendsMail
        self.isSent = isSent
        let errors = FormErrors(error)
        problem = errors.message
        fields = [.email(t, value: email, errors: errors)]
        shell = .door(context, title: t.forgotPassword, back: ShellBack(url: "/sign-in", label: t.signIn))
    }
}

/// A new password, by a link.
struct ResetPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    /// Where the form goes.
    let action: String
    /// What is wrong with the whole form.
    let problem: String?
    let fields: [FormField]
    let signOutChildren: String
    let isSigningOutChildren: Bool
    /// Why the children's devices may be signed out; `nil` without any.
    let childDevicesNote: String?

    /// - Parameter isSigningOutChildren: the switch of a refused form.
    init(
        _ context: some WebContext, code: String, hasChildDevices: Bool, isSigningOutChildren: Bool, error: AppError?
    ) {
        t = context.strings
        let words = ProofStrings.of(context.language)
        signOutChildren = words.signOutChildren
        self.isSigningOutChildren = isSigningOutChildren
        childDevicesNote = hasChildDevices ? words.signOutChildrenNote : nil
        action = "/password-resets/\(PathSegment.encoded(code))?_method=put"
        let errors = FormErrors(error)
        problem = errors.message
        fields = [.newPassword(t, label: t.newPassword, errors: errors)]
        shell = .door(context, title: t.choosePassword)
    }
}

/// The link that verifies an email.
struct VerificationPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    /// Where the form goes.
    let action: String

    init(_ context: some WebContext, code: String) {
        t = context.strings
        action = "/email-verifications/\(PathSegment.encoded(code))"
        shell = .door(context, title: t.confirmEmail)
    }
}

/// A link that is used up or too old.
struct LinkGonePage: Sendable {
    let shell: Shell
    let t: AccountsStrings

    init(_ context: some WebContext) {
        t = context.strings
        shell = .door(
            context, title: t.linkGone, isLargeTitle: true, back: ShellBack(url: "/", label: t.product)
        )
    }
}

extension Shell {
    /// What stands around the ways in: narrow, and without tabs, as there is nowhere to go yet.
    fileprivate static func door(
        _ context: some WebContext, title: String, app: AppName = .tracking, isLargeTitle: Bool = false,
        back: ShellBack? = nil, action: ShellAction? = nil
    ) -> Shell {
        Shell(
            context, title: title, menu: app.door(context), isLargeTitle: isLargeTitle, isNarrow: true,
            hasTabs: false, back: back, action: action
        )
    }
}

extension ShellBack {
    /// Back to where the app welcomes who isn't signed in, or to the start page.
    fileprivate static func welcome(of app: AppName, _ t: AccountsStrings) -> ShellBack {
        app == .carrepsa ? ShellBack(url: "/carrepsa", label: t.carrepsa) : ShellBack(url: "/", label: t.product)
    }
}
