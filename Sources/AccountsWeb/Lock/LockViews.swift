import Accounts
import Kernel
import WebCore

/// A field for six digits. The response never contains the typed digits.
struct PasscodeField: Sendable {
    let id: String
    let label: String
    let hint: String
    let error: String?
    /// Whether the field has the focus.
    let isFirst: Bool
    /// During the wait after wrong passcodes.
    let isDisabled: Bool

    init(
        _ id: String, label: String, hint: String, error: String?, isFirst: Bool = false,
        isDisabled: Bool = false
    ) {
        self.id = id
        self.label = label
        self.hint = hint
        self.error = error
        self.isFirst = isFirst && !isDisabled
        self.isDisabled = isDisabled
    }
}

/// The wait after too many wrong passcodes.
struct LockWait: Sendable {
    /// The remaining seconds, for scripts.
    let seconds: String
    /// Minutes and seconds, for browsers without scripts.
    let text: String

    init?(seconds: Int) {
        guard seconds > 0 else { return nil }
        self.seconds = "\(seconds)"
        let rest = seconds % 60
        text = "\(seconds / 60):" + (rest < 10 ? "0\(rest)" : "\(rest)")
    }
}

/// The view of the lock page.
struct LockPage: Sendable {
    let shell: Shell
    let signOutLabel: String
    /// The error message above the form.
    let problem: String?
    let field: PasscodeField
    let wait: LockWait?
    /// The path to continue with, empty for the default.
    let destination: String
    /// The sign-in, for a forgotten passcode.
    let signInURL: String
    /// The form for a passkey; `nil` where passkeys don't unlock.
    let passkey: PasskeyForm?

    init(_ context: SignedInContext, status: LockStatus, destination: Destination, error: AppError?) {
        // After an error, the person has chosen to type the passcode.
        passkey =
            status.touchID == true
            ? .unlocking(context.t, destination: destination.path, isAutomatic: error == nil) : nil
        signOutLabel = context.t("Sign out")
        let errors = FormErrors(error)
        let seconds = error?.retryAfterSeconds ?? status.retryAfterSeconds
        wait = LockWait(seconds: seconds)
        problem = wait == nil ? errors.message : nil
        field = PasscodeField(
            "passcode", label: context.t("Passcode"), hint: .passcode(context.t),
            error: wait == nil ? errors["passcode"] : nil,
            isFirst: true, isDisabled: wait != nil
        )
        self.destination = destination.asked
        // After the sign-in, the person sets another passcode, and then continues to the destination.
        let another = "/account/lock/passcode?return=\(PercentEncoding.encoded(destination.path))"
        signInURL = Destination(another).carried(to: "/sign-in")
        shell = Shell(
            context, title: context.t("Locked"), menu: AppMenu.bare, isLargeTitle: false, isNarrow: true, hasTabs: false
        )
    }
}

/// The view of the page that sets or replaces the passcode.
struct PasscodePage: Sendable {
    let shell: Shell
    let reason: String
    /// The error message above the form.
    let problem: String?
    let fields: [PasscodeField]
    let wait: LockWait?
    /// The path to continue with, empty for the default.
    let destination: String
    /// Whether there is no passcode yet, so that the form can be skipped.
    let isFirst: Bool
    /// Whether the current passcode isn't required.
    let isFresh: Bool

    init(_ context: SignedInContext, status: LockStatus, destination: Destination, error: AppError?) {
        let t = context.t
        let errors = FormErrors(error)
        wait = LockWait(seconds: error?.retryAfterSeconds ?? (status.mayReset ? 0 : status.retryAfterSeconds))
        problem = wait == nil ? errors.message : nil
        let asksCurrent = status.isPasscodeSet && !status.mayReset
        let isDisabled = wait != nil
        var fields: [PasscodeField] = []
        if asksCurrent {
            fields.append(
                PasscodeField(
                    "current", label: t("Current passcode"), hint: .passcode(t), error: errors["current"],
                    isFirst: true,
                    isDisabled: isDisabled))
        }
        fields.append(
            PasscodeField(
                "passcode", label: t("New passcode"), hint: .passcode(t),
                // Both fields are empty again. Where the two differ, the person begins with this one.
                error: errors["passcode"] ?? errors["repeat"], isFirst: !asksCurrent, isDisabled: isDisabled))
        fields.append(
            PasscodeField(
                "repeat", label: t("Repeat the passcode"), hint: .passcode(t), error: nil, isDisabled: isDisabled))
        self.fields = fields
        self.destination = destination.asked
        isFirst = !status.isPasscodeSet
        isFresh = status.isPasscodeSet && status.mayReset
        reason =
            status.isPasscodeSet
            ? t("The new passcode is asked for on all your devices from now on.")
            : t(
                """
                A passcode protects your places, your children and your packages when another person holds your \
                device. You enter it when you open the app and when you come back after a while.
                """
            )
        shell = .lockForm(
            context, title: status.isPasscodeSet ? t("Change passcode") : t("Set a passcode"), backTo: destination.path)
    }
}

/// The view of the page that turns the passcode off.
struct LockOffPage: Sendable {
    let shell: Shell
    /// The error message above the form.
    let problem: String?
    let wait: LockWait?
    /// Empty after a fresh sign-in by password.
    let fields: [PasscodeField]

    init(_ context: SignedInContext, status: LockStatus, error: AppError?) {
        let t = context.t
        let errors = FormErrors(error)
        wait = LockWait(seconds: error?.retryAfterSeconds ?? (status.mayReset ? 0 : status.retryAfterSeconds))
        problem = wait == nil ? errors.message : nil
        let field = PasscodeField(
            "current", label: t("Current passcode"), hint: .passcode(t), error: errors["current"], isFirst: true,
            isDisabled: wait != nil)
        fields = status.mayReset ? [] : [field]
        shell = .lockForm(context, title: t("Turn passcode off"), backTo: "/account/lock")
    }
}

/// The view of the lock's settings.
struct LockSettingsPage: Sendable {
    let shell: Shell
    let isOn: Bool
    let times: [ChoiceOption]
    let touchID: String
    /// The text for on or off.
    let touchIDState: String

    init(_ context: SignedInContext, status: LockStatus) {
        let t = context.t
        isOn = status.isPasscodeSet
        touchID = context.t("Touch ID")
        touchIDState = status.touchID == true ? t("On") : t("Off")
        times = Limits.lockAfterMinutes.map {
            ChoiceOption(value: "\($0)", label: Self.time($0, t), isCurrent: $0 == status.lockAfterMinutes)
        }
        shell = Shell(
            context, title: t("App lock"), menu: .settings(context), tab: "settings", isLargeTitle: false,
            back: ShellBack(url: "/account", label: context.t("Settings", context: "narrow button"))
        )
    }

    private static func time(_ minutes: Int, _ t: Translator) -> String {
        minutes.isMultiple(of: 60)
            ? t("{n} hour", plural: "{n} hours", count: minutes / 60)
            : t("{n} minute", plural: "{n} minutes", count: minutes)
    }
}

extension String {
    /// Returns the hint of a passcode's field.
    fileprivate static func passcode(_ t: Translator) -> String {
        t("{n} digits", ["n": String(Limits.passcodeDigits)])
    }
}

extension Shell {
    fileprivate static func lockForm(_ context: SignedInContext, title: String, backTo url: String) -> Shell {
        Shell(
            context, title: title, menu: .settings(context), tab: "settings", isLargeTitle: false, isNarrow: true,
            hasTabs: false,
            back: ShellBack(url: url, label: context.t("Cancel"), isCancel: true)
        )
    }
}
