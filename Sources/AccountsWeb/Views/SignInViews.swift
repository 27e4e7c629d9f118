import Accounts
import Kernel
import WebCore

/// The view of the start page: the three apps, sign-in and registration.
struct StartPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    let isSignedIn: Bool
    /// Whether to show the link to registration.
    let offersRegistration: Bool
    /// The greeting of a signed-in person.
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

struct AppTile: Sendable {
    /// The app's id, which selects its accent color.
    let app: String
    let title: String
    let note: String
    let icon: String
    let url: String
}

/// The view of the sign-in page.
struct SignInPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    /// The error message above the form.
    let problem: String?
    let fields: [FormField]
    /// The path to continue with, empty for the default.
    let destination: String
    /// The link to registration with that path; `nil` where registration isn't offered.
    let registerURL: String?
    let submitLabel: String
    let words: ProviderStrings
    let hasProviders: Bool
    /// The providers with which a person can sign in.
    let providers: [ProviderButton]
    /// The outcome of an attempt with one of them.
    let notice: ProviderNotice?
    /// The link to continue without linking the offered identity.
    let plainURL: String
    /// The form for a sign-in by passkey.
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
        // Children sign in by a code.
        let scan = ShellAction(label: t.scanCode, icon: "scan", url: "/family/scan")
        shell = .signedOut(
            context, title: submitLabel, app: destination.app, back: .welcome(of: destination.app, t),
            action: destination.app == .carrepsa ? nil : scan
        )
    }
}

/// The view of the registration page.
struct RegisterPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    /// The reason why there is no form; `nil` where there is one.
    let closedText: String?
    /// The error message above the form.
    let problem: String?
    let fields: [FormField]
    /// The app that the person registers for.
    let app: String
    /// The path to continue with, empty for the default.
    let destination: String
    /// The link to sign-in with that path.
    let signInURL: String
    let submitLabel: String
    let words: ProviderStrings
    let hasProviders: Bool
    /// The providers with which a person can register.
    let providers: [ProviderButton]

    init(
        _ context: some WebContext, app: AppName, destination: Destination, typed: ProfileFormState,
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
        shell = .signedOut(context, title: submitLabel, app: app, back: .welcome(of: app, t))
    }

    private static func closedText(_ context: some WebContext, _ destination: Destination) -> String? {
        guard !context.site.offersRegistration(destination: destination.asked) else { return nil }
        let message: AccountMessage =
            context.site.registration == .closed ? .registrationClosed : .invitationNeeded
        return context.t.text(message.rawValue)
    }
}

/// The view of the page for a forgotten password.
struct ForgottenPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    let sendsMail: Bool
    let isSent: Bool
    /// The error message above the form.
    let problem: String?
    let fields: [FormField]

    init(_ context: some WebContext, sendsMail: Bool, isSent: Bool, email: String, error: AppError?) {
        t = context.strings
        self.sendsMail = sendsMail
        self.isSent = isSent
        let errors = FormErrors(error)
        problem = errors.message
        fields = [.email(t, value: email, errors: errors)]
        shell = .signedOut(context, title: t.forgotPassword, back: ShellBack(url: "/sign-in", label: t.signIn))
    }
}

/// The view of the page that sets a new password by a link.
struct ResetPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    /// The URL of the form.
    let action: String
    /// The error message above the form.
    let problem: String?
    let fields: [FormField]
    let signOutChildren: String
    let isSigningOutChildren: Bool
    /// The reason to sign out the children's devices; `nil` without any.
    let childDevicesNote: String?

    /// - Parameter isSigningOutChildren: the state of the switch in a rejected form.
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
        shell = .signedOut(context, title: t.choosePassword)
    }
}

/// The view of the page that verifies an email by a link.
struct VerificationPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    /// The URL of the form.
    let action: String

    init(_ context: some WebContext, code: String) {
        t = context.strings
        action = "/email-verifications/\(PathSegment.encoded(code))"
        shell = .signedOut(context, title: t.confirmEmail)
    }
}

/// The view for a link that is used or expired.
struct LinkGonePage: Sendable {
    let shell: Shell
    let t: AccountsStrings

    init(_ context: some WebContext) {
        t = context.strings
        shell = .signedOut(
            context, title: t.linkGone, isLargeTitle: true, back: ShellBack(url: "/", label: t.product)
        )
    }
}

extension Shell {
    /// The layout of the pages before sign-in: narrow and without tabs.
    fileprivate static func signedOut(
        _ context: some WebContext, title: String, app: AppName = .tracking, isLargeTitle: Bool = false,
        back: ShellBack? = nil, action: ShellAction? = nil
    ) -> Shell {
        Shell(
            context, title: title, menu: app.signInMenu(context), isLargeTitle: isLargeTitle, isNarrow: true,
            hasTabs: false, back: back, action: action
        )
    }
}

extension ShellBack {
    /// The link to the app's page for people who aren't signed in, or to the start page.
    fileprivate static func welcome(of app: AppName, _ t: AccountsStrings) -> ShellBack {
        app == .carrepsa ? ShellBack(url: "/carrepsa", label: t.carrepsa) : ShellBack(url: "/", label: t.product)
    }
}
