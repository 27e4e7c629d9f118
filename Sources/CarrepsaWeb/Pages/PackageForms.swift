import Carrepsa
import Kernel
import WebCore

/// The view model for showing the reader's handover code and entering the other party's.
struct HandoverPanel: Sendable {
    /// The raw value of ``HandoverStep``: `pickup` or `delivery`.
    let stepName: String
    let handoverText: String
    let codesURL: String
    let enterURL: String
    let version: String
    let enterLabel: String
    let enterHint: String
    let typedCode: String
    let codeMessage: String
    let isCodeInvalid: Bool
    let isOpen: Bool
    /// Whether entering the code is the main way to confirm. It is for the carrier; the owner can confirm with a
    /// button instead.
    let isPrimary: Bool

    init?(
        _ details: PackageDetails, offered: String?, sent: PackagePage.Sent, _ words: PackageTextFormatter,
        _ t: Translator
    ) {
        guard details.role == .owner || details.role == .carrier else { return nil }
        let url = CarrepsaPath.package(details.package.id)
        if details.actions.contains(.confirmPickup) {
            stepName = HandoverStep.pickup.rawValue
            handoverText = t("With a code both can prove that the package changed hands. This is optional.")
            enterURL = url + "/pickup"
        } else if details.actions.contains(.confirmDelivery) {
            stepName = HandoverStep.delivery.rawValue
            handoverText = t("With a code both can prove that the package arrived. This is optional.")
            enterURL = url + "/delivery"
        } else {
            return nil
        }
        codesURL = url + "/handover-codes"
        version = String(details.package.version)
        enterLabel = words.fill(t("Enter {name}’s code"))
        isPrimary = details.role == .carrier
        enterHint = words.fill(
            isPrimary
                ? t("{name} shows it on the phone. With it you confirm for both.") : t("{name} shows it on the phone."))
        codeMessage = Self.message(sent, words, t)
        isCodeInvalid = !codeMessage.isEmpty
        typedCode = sent.code.isEmpty ? offered ?? "" : sent.code
        isOpen = isPrimary || !typedCode.isEmpty || isCodeInvalid
    }

    private static func message(_ sent: PackagePage.Sent, _ words: PackageTextFormatter, _ t: Translator) -> String {
        if let error = sent.error, error.code == .throttled { return error.message }
        guard sent.error?.fields["code"] != nil else { return "" }
        return sent.code.isEmpty
            ? t("Enter the code.") : words.fill(t("This is not {name}’s code. Compare the digits."))
    }
}

extension PackagePage.Sent {
    /// Returns the error at a text field; empty for none.
    fileprivate func message(of field: String, typed: String, missing: String, _ t: Translator) -> String {
        guard error?.fields[field] != nil else { return "" }
        if typed.allSatisfy(\.isWhitespace) { return missing }
        return t("Use at most {n} characters.", ["n": String(Limits.descriptionCharacters)])
    }
}

/// The view model of *Report a problem*.
struct DisputeForm: Sendable {
    let disputeURL: String
    let version: String
    let typedReason: String
    let reasonMessage: String
    let isReasonInvalid: Bool

    init?(_ details: PackageDetails, sent: PackagePage.Sent, _ t: Translator) {
        guard details.actions.contains(.dispute) else { return nil }
        disputeURL = CarrepsaPath.package(details.package.id) + "/dispute"
        version = String(details.package.version)
        typedReason = sent.reason
        reasonMessage = sent.message(of: "reason", typed: sent.reason, missing: t("Say what is wrong."), t)
        isReasonInvalid = !reasonMessage.isEmpty
    }
}

/// The view model of *Add a statement*.
struct StatementForm: Sendable {
    let statementURL: String
    let version: String
    let typedStatement: String
    let statementMessage: String
    let isStatementInvalid: Bool

    init?(_ details: PackageDetails, sent: PackagePage.Sent, _ t: Translator) {
        guard details.actions.contains(.addStatement) else { return nil }
        statementURL = CarrepsaPath.package(details.package.id) + "/statements"
        version = String(details.package.version)
        typedStatement = sent.statement
        statementMessage = sent.message(
            of: "statement", typed: sent.statement, missing: t("Describe what happened."), t)
        isStatementInvalid = !statementMessage.isEmpty
    }
}

/// The view model of the administrator's decision.
struct DecisionForm: Sendable {
    let decisionURL: String
    let version: String
    let typedNote: String
    let noteMessage: String
    let isNoteInvalid: Bool
    let outcomes: [OutcomeButton]

    struct OutcomeButton: Sendable {
        let outcome: String
        let outcomeLabel: String
        let outcomeNote: String
        let outcomeStyle: String
    }

    init?(_ details: PackageDetails, sent: PackagePage.Sent, _ words: PackageTextFormatter, _ t: Translator) {
        let texts: [(PackageAction, DisputeOutcome, String, String, String)] = [
            (.decideDelivered, .delivered, t("It was delivered"), t("{carrier} gets {sum}."), "button-primary"),
            (
                .decideRefunded, .refunded, t("Cancel the delivery"),
                t("{owner} gets {reward} back, {carrier} {lock}."), "button-secondary"
            ),
            (.decideLost, .lost, t("It is lost"), t("{owner} gets {sum}."), "button-danger"),
        ]
        outcomes = texts.filter { details.actions.contains($0.0) }.map { text in
            OutcomeButton(
                outcome: text.1.rawValue, outcomeLabel: text.2, outcomeNote: words.fill(text.3), outcomeStyle: text.4)
        }
        guard !outcomes.isEmpty else { return nil }
        decisionURL = CarrepsaPath.package(details.package.id) + "/decision"
        version = String(details.package.version)
        typedNote = sent.note
        noteMessage =
            sent.error?.fields["note"] == nil
            ? "" : t("Use at most {n} characters.", ["n": String(Limits.descriptionCharacters)])
        isNoteInvalid = !noteMessage.isEmpty
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
