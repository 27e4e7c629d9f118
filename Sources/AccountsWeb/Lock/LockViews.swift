import Accounts
import Kernel
import WebCore

/// A field for six digits. What was typed is never sent back.
struct PasscodeField: Sendable {
    let id: String
    let label: String
    let hint: String
    let error: String?
    /// Whether it is ready to be typed in.
    let isFirst: Bool
    /// While nobody may try.
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
    /// Seconds that are left, for scripts.
    let seconds: String
    /// Minutes and seconds, for people without.
    let text: String

    init?(seconds: Int) {
        guard seconds > 0 else { return nil }
        self.seconds = "\(seconds)"
        let rest = seconds % 60
        text = "\(seconds / 60):" + (rest < 10 ? "0\(rest)" : "\(rest)")
    }
}

/// The lock.
struct LockPage: Sendable {
    let shell: Shell
    let t: LockStrings
    let signOutLabel: String
    /// What is wrong with what was typed.
    let problem: String?
    let field: PasscodeField
    let wait: LockWait?
    /// Where to go then.
    let destination: String
    /// The way in without the passcode.
    let signInURL: String
    /// Asks for a passkey first; `nil` where the lock doesn't open by one.
    let passkey: PasskeyForm?

    init(_ context: SignedInContext, status: LockStatus, destination: Destination, error: AppError?) {
        // Who has just typed something has chosen the passcode.
        passkey =
            status.touchID == true
            ? .unlocking(context.passkeyStrings, destination: destination.path, isAutomatic: error == nil) : nil
        t = context.lockStrings
        signOutLabel = context.strings.signOut
        let errors = FormErrors(error)
        let seconds = error?.retryAfterSeconds ?? status.retryAfterSeconds
        wait = LockWait(seconds: seconds)
        problem = wait == nil ? errors.message : nil
        field = PasscodeField(
            "passcode", label: t.passcode, hint: t.digitsHint, error: wait == nil ? errors["passcode"] : nil,
            isFirst: true, isDisabled: wait != nil
        )
        self.destination = destination.asked
        // Whoever forgot the passcode comes in to set another one, and then to what they wanted.
        let another = "/account/lock/passcode?return=\(PathSegment.encoded(destination.path))"
        signInURL = Destination(another).carried(to: "/sign-in")
        shell = Shell(
            context, title: t.locked, menu: AppMenu.bare, isLargeTitle: false, isNarrow: true, hasTabs: false)
    }
}

/// Sets the passcode, or replaces it.
struct PasscodePage: Sendable {
    let shell: Shell
    let t: LockStrings
    let reason: String
    /// What is wrong with the whole form.
    let problem: String?
    let fields: [PasscodeField]
    let wait: LockWait?
    /// Where to go then; empty for the usual place.
    let destination: String
    /// There is none yet, so that it can be left at that.
    let isFirst: Bool
    /// The old one isn't asked for.
    let isFresh: Bool

    init(_ context: SignedInContext, status: LockStatus, destination: Destination, error: AppError?) {
        let t = context.lockStrings
        self.t = t
        let errors = FormErrors(error)
        wait = LockWait(seconds: error?.retryAfterSeconds ?? (status.mayReset ? 0 : status.retryAfterSeconds))
        problem = wait == nil ? errors.message : nil
        let asksCurrent = status.isPasscodeSet && !status.mayReset
        let isDisabled = wait != nil
        var fields: [PasscodeField] = []
        if asksCurrent {
            fields.append(
                PasscodeField(
                    "current", label: t.currentPasscode, hint: t.digitsHint, error: errors["current"], isFirst: true,
                    isDisabled: isDisabled))
        }
        fields.append(
            PasscodeField(
                "passcode", label: t.newPasscode, hint: t.digitsHint,
                // Both are empty again: where the two differ, one begins here.
                error: errors["passcode"] ?? errors["repeat"], isFirst: !asksCurrent, isDisabled: isDisabled))
        fields.append(
            PasscodeField(
                "repeat", label: t.repeatPasscode, hint: t.digitsHint, error: nil, isDisabled: isDisabled))
        self.fields = fields
        self.destination = destination.asked
        isFirst = !status.isPasscodeSet
        isFresh = status.isPasscodeSet && status.mayReset
        reason = status.isPasscodeSet ? t.changeReason : t.setReason
        shell = .lockForm(
            context, title: status.isPasscodeSet ? t.changeTitle : t.setTitle, backTo: destination.path)
    }
}

/// The question before the passcode is turned off.
struct LockOffPage: Sendable {
    let shell: Shell
    let t: LockStrings
    /// What is wrong with the whole form.
    let problem: String?
    let wait: LockWait?
    /// Empty after a fresh sign-in by password.
    let fields: [PasscodeField]

    init(_ context: SignedInContext, status: LockStatus, error: AppError?) {
        let t = context.lockStrings
        self.t = t
        let errors = FormErrors(error)
        wait = LockWait(seconds: error?.retryAfterSeconds ?? (status.mayReset ? 0 : status.retryAfterSeconds))
        problem = wait == nil ? errors.message : nil
        let field = PasscodeField(
            "current", label: t.currentPasscode, hint: t.digitsHint, error: errors["current"], isFirst: true,
            isDisabled: wait != nil)
        fields = status.mayReset ? [] : [field]
        shell = .lockForm(context, title: t.turnOff, backTo: "/account/lock")
    }
}

/// The lock's settings.
struct LockSettingsPage: Sendable {
    let shell: Shell
    let t: LockStrings
    let isOn: Bool
    let times: [ChoiceOption]
    let touchID: String
    /// On or off.
    let touchIDState: String

    init(_ context: SignedInContext, status: LockStatus) {
        let t = context.lockStrings
        self.t = t
        isOn = status.isPasscodeSet
        touchID = context.passkeyStrings.touchID
        touchIDState = status.touchID == true ? t.on : t.off
        times = Limits.lockAfterMinutes.map {
            ChoiceOption(value: "\($0)", label: t.time($0), isCurrent: $0 == status.lockAfterMinutes)
        }
        shell = Shell(
            context, title: t.lock, menu: .settings(context), tab: "settings", isLargeTitle: false,
            back: ShellBack(url: "/account", label: context.strings.settings)
        )
    }
}

extension Shell {
    fileprivate static func lockForm(_ context: SignedInContext, title: String, backTo url: String) -> Shell {
        Shell(
            context, title: title, menu: .settings(context), tab: "settings", isLargeTitle: false, isNarrow: true,
            hasTabs: false,
            back: ShellBack(url: url, label: ShellStrings.of(context.language).cancel, isCancel: true)
        )
    }
}
