import Carrepsa
import Kernel
import WebCore

/// The view model for showing the reader's handover code and entering the other person's.
struct HandoverPanel: Sendable {
    /// The raw value of ``HandoverStep``: `pickup` or `delivery`.
    let stepName: String
    let handoverText: String
    let codesURL: String
    let enterURL: String
    let version: String
    let enterLabel: String
    let enterHint: String
    /// Whether the reader shows a code, and whether they enter one: both, unless the recipient has the code.
    let canShow: Bool
    let canEnter: Bool
    let typedCode: String
    let codeMessage: String
    let isCodeInvalid: Bool
    let isOpen: Bool
    /// Whether entering the code is the main way to confirm. It is for the carrier; the owner can confirm with a
    /// button instead.
    let isPrimary: Bool
    /// Why a code can't be entered now; empty if it can.
    let codeReason: String
    let isCodeBlocked: Bool

    init?(
        _ details: PackageDetails, offered: String?, sent: PackagePage.Sent, _ words: PackageTextFormatter,
        _ t: Translator
    ) {
        guard details.role == .owner || details.role == .carrier else { return nil }
        isPrimary = details.role == .carrier
        var hasRecipient = false
        let url = CarrepsaPath.package(details.package.id)
        if details.actions.contains(.confirmPickup) {
            stepName = HandoverStep.pickup.rawValue
            handoverText = t("With a code both can prove that the package changed hands. This is optional.")
            enterURL = url + "/pickup"
            codeReason = details.photoReason(.confirmPickup, t)
        } else if details.actions.contains(.confirmDelivery) {
            stepName = HandoverStep.delivery.rawValue
            hasRecipient = details.package.hasRecipient
            handoverText =
                !hasRecipient
                ? t("With a code both can prove that the package arrived. This is optional.")
                : isPrimary
                    ? t("Ask the recipient for the delivery code when they have the package.")
                    : words.fill(
                        t("The recipient gives {name} the delivery code from their page. You can show a code too."))
            enterURL = url + "/delivery"
            codeReason = details.photoReason(.confirmDelivery, t)
        } else {
            return nil
        }
        isCodeBlocked = !codeReason.isEmpty
        codesURL = url + "/handover-codes"
        version = String(details.package.version)
        canShow = !hasRecipient || !isPrimary
        canEnter = !hasRecipient || isPrimary
        enterLabel = hasRecipient ? t("Enter the delivery code") : words.fill(t("Enter {name}’s code"))
        enterHint = words.fill(
            hasRecipient
                ? t(
                    "The recipient’s code has {n} digits. A code that {name} shows you works too.",
                    ["n": String(Limits.recipientCodeDigits)])
                : isPrimary
                    ? t("{name} shows it on the phone. With it you confirm for both.")
                    : t("{name} shows it on the phone."))
        codeMessage = Self.message(sent, isRecipients: hasRecipient, words, t)
        isCodeInvalid = !codeMessage.isEmpty
        typedCode = sent.code.isEmpty ? offered ?? "" : sent.code
        isOpen = isPrimary || !typedCode.isEmpty || isCodeInvalid
    }

    private static func message(
        _ sent: PackagePage.Sent, isRecipients: Bool, _ words: PackageTextFormatter, _ t: Translator
    ) -> String {
        if let error = sent.error, error.code == .throttled { return error.message }
        guard sent.error?.fields["code"] != nil else { return "" }
        if sent.code.isEmpty { return t("Enter the code.") }
        return isRecipients
            ? t("This is not the delivery code. Compare the digits.")
            : words.fill(t("This is not {name}’s code. Compare the digits."))
    }
}

/// The view model of the reader's handover code. Scripts insert its fragment into the package's page.
struct HandoverCodePage: Sendable {
    let shell: Shell
    let digits: String
    /// The digits in two groups, for reading out.
    let spokenDigits: String
    let qr: String
    let explanation: String
    let expiryMoment: FormattedTime

    init(
        _ context: SignedInContext, _ details: PackageDetails, _ code: HandoverCode, url: String, t: Translator,
        formatter: CarrepsaFormatter
    ) throws {
        shell = Shell(
            context, title: t("Your code"), menu: .carrepsa(t), isLargeTitle: false, isNarrow: true, hasTabs: false,
            back: ShellBack(url: CarrepsaPath.package(details.package.id), label: details.package.title)
        )
        digits = code.code
        let half = code.code.count / 2
        spokenDigits = code.code.prefix(half) + "\u{a0}" + code.code.dropFirst(half)
        qr = try QRCode.svg(url)
        explanation = PackageTextFormatter(details, t: t, formatter: formatter).fill(
            t("{name} scans it with the phone’s camera, or types the digits."))
        expiryMoment = FormattedTime(code.expiresAt, formatter.times)
    }
}
