import Accounts
import Kernel
import WebCore

/// The view of the start page: the three apps, sign-in and registration.
struct StartPage: Sendable {
    let shell: Shell
    let isSignedIn: Bool
    /// Whether to show the link to registration.
    let offersRegistration: Bool
    /// The pages that continue in the app from whose welcome page the person came.
    let signInURL: String
    let registerURL: String
    /// The greeting of a signed-in person.
    let hello: String?
    let tiles: [AppTile]

    init(_ context: some WebContext) {
        let account = context.identity?.account
        isSignedIn = account != nil
        offersRegistration = context.offersRegistration()
        hello = account.map { context.t("Hello {name}", ["name": $0.name]) }
        shell = Shell(
            context, title: context.t("Homeward"), menu: .home(context), tab: AppMenu.homeID, isNarrow: account == nil,
            hasTabs: account != nil
        )
        // The welcome page of an app names it in its link back to this page.
        let app = context.query("app").flatMap(AppName.init(rawValue:))
        let way = app.map { "?app=\($0.rawValue)&return=\(PercentEncoding.encoded($0.root))" } ?? ""
        signInURL = "/sign-in" + way
        registerURL = "/register" + way
        tiles = [
            AppTile(
                app: "tracking", title: context.t("Tracking"),
                note: context.t("Know where your keys, bag and bike are."), icon: "map-pin", url: "/tracking/items"
            ),
            AppTile(
                app: "family", title: context.t("Family", context: "app"),
                note: context.t("Chores, points and rewards for children."),
                icon: "users", url: "/family"),
            AppTile(
                app: "carrepsa", title: context.t("Carrepsa"), note: context.t("Packages carried by neighbours."),
                icon: "package", url: "/carrepsa"),
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
    /// The error message above the form.
    let problem: String?
    let fields: [FormField]
    /// The path to continue with, empty for the default.
    let destination: String
    /// The link to registration with that path; `nil` where registration isn't offered.
    let registerURL: String?
    let submitLabel: String
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
        self.providers = providers
        hasProviders = !providers.isEmpty
        self.notice = notice
        plainURL = destination.carried(to: "/sign-in")
        let isOffer = notice?.isOffer ?? false
        passkey = .signingIn(context.t, destination: destination.asked, isOffer: isOffer)
        let errors = FormErrors(error)
        problem = errors.message
        fields = [
            .signInEmail(context.t, value: email, errors: errors),
            .password(context.t, label: context.t("Password"), errors: errors),
        ]
        self.destination = destination.asked
        let isOffered = context.offersRegistration(destination: destination.asked)
        registerURL = isOffered ? destination.carried(to: "/register") : nil
        submitLabel = destination.app == .carrepsa ? context.t("Login") : context.t("Sign in")
        // Children sign in by a code.
        let scan = ShellAction(label: context.t("Scan code"), icon: "scan", url: "/family/scan")
        shell = .signedOut(
            context, title: submitLabel, app: destination.app, back: .welcome(of: destination.app, context.t),
            action: destination.app == .carrepsa ? nil : scan
        )
    }
}

/// The view of the registration page.
struct RegisterPage: Sendable {
    let shell: Shell
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
    let hasProviders: Bool
    /// The providers with which a person can register.
    let providers: [ProviderButton]

    init(
        _ context: some WebContext, app: AppName, destination: Destination, typed: ProfileFormState,
        providers: [ProviderButton], error: AppError?
    ) {
        self.providers = providers
        hasProviders = !providers.isEmpty
        closedText = Self.closedText(context, destination)
        let errors = FormErrors(error)
        problem = errors.message ?? errors["app"]
        var fields: [FormField] = [
            .name(context.t, value: typed.name, errors: errors), .email(context.t, value: typed.email, errors: errors),
            .newPassword(context.t, label: context.t("Password"), errors: errors),
        ]
        if app.needsDateOfBirth {
            fields.append(
                .dateOfBirth(context.t, value: typed.dateOfBirth, errors: errors, now: context.web.clock.now))
        }
        if app.needsPhone { fields.append(.phone(context.t, value: typed.phone, errors: errors)) }
        // After an error, a script focuses the first invalid field.
        fields[0].isFocused = error == nil
        self.fields = fields
        self.app = app.rawValue
        self.destination = destination.asked
        signInURL = destination.carried(to: "/sign-in")
        submitLabel = app == .carrepsa ? context.t("Sign up") : context.t("Create account")
        shell = .signedOut(context, title: submitLabel, app: app, back: .welcome(of: app, context.t))
    }

    private static func closedText(_ context: some WebContext, _ destination: Destination) -> String? {
        guard !context.offersRegistration(destination: destination.asked) else { return nil }
        let message: AccountMessage =
            context.app.registration == .mode(.invitation) ? .invitationNeeded : .registrationClosed
        return context.t.message(message.text)
    }
}

/// The view of the page for a forgotten password.
struct ForgottenPage: Sendable {
    let shell: Shell
    let sendsMail: Bool
    let isSent: Bool
    /// The error message above the form.
    let problem: String?
    let lead: String
    let fields: [FormField]

    init(_ context: some WebContext, sendsMail: Bool, isSent: Bool, email: String, error: AppError?) {
        self.sendsMail = sendsMail
        self.isSent = isSent
        let errors = FormErrors(error)
        problem = errors.message
        let t = context.t
        lead = t(
            "We send you a link with which you choose a new password. It works once, for an hour.",
            plural: "We send you a link with which you choose a new password. It works once, for {n} hours.",
            count: Limits.passwordResetSeconds.wholeHours)
        fields = [.email(t, value: email, errors: errors)]
        shell = .signedOut(
            context, title: t("Forgot your password?"),
            back: ShellBack(url: "/sign-in", label: context.t("Sign in")))
    }
}

/// The view of the page that sets a new password by a link.
struct ResetPage: Sendable {
    let shell: Shell
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
        signOutChildren = context.t("Sign out my children’s devices and shared tablets")
        self.isSigningOutChildren = isSigningOutChildren
        childDevicesNote =
            hasChildDevices
            ? context.t(
                """
                If another person may have used your account, they could have signed in as a child or paired a \
                shared tablet.
                """) : nil
        action = "/password-resets/\(PercentEncoding.encoded(code))?_method=put"
        let errors = FormErrors(error)
        problem = errors.message
        fields = [.newPassword(context.t, label: context.t("New password"), errors: errors)]
        shell = .signedOut(context, title: context.t("Choose a new password"))
    }
}

/// The view of the page that verifies an email by a link.
struct VerificationPage: Sendable {
    let shell: Shell
    /// The URL of the form.
    let action: String

    init(_ context: some WebContext, code: String) {
        action = "/email-verifications/\(PercentEncoding.encoded(code))"
        shell = .signedOut(context, title: context.t("Confirm email"))
    }
}

/// The view for a link that is used or expired.
struct LinkGonePage: Sendable {
    let shell: Shell

    init(_ context: some WebContext) {
        shell = .signedOut(
            context, title: context.t("This link no longer works"), isLargeTitle: true,
            back: ShellBack(url: "/", label: context.t("Homeward"))
        )
    }
}

/// The view for an administrator's invitation that is used, revoked or expired.
struct InvitationGonePage: Sendable {
    let shell: Shell

    init(_ context: some WebContext) {
        shell = .signedOut(
            context, title: context.t("This invitation no longer works"), isLargeTitle: true,
            back: ShellBack(url: "/", label: context.t("Homeward"))
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
    fileprivate static func welcome(of app: AppName, _ t: Translator) -> ShellBack {
        app == .carrepsa ? ShellBack(url: "/carrepsa", label: t("Carrepsa")) : ShellBack(url: "/", label: t("Homeward"))
    }
}
