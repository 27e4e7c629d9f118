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
        _ t: CarrepsaStrings
    ) {
        guard details.role == .owner || details.role == .carrier else { return nil }
        let url = CarrepsaPath.package(details.package.id)
        if details.actions.contains(.confirmPickup) {
            stepName = HandoverStep.pickup.rawValue
            handoverText = t.handover.pickupText
            enterURL = url + "/pickup"
        } else if details.actions.contains(.confirmDelivery) {
            stepName = HandoverStep.delivery.rawValue
            handoverText = t.handover.deliveryText
            enterURL = url + "/delivery"
        } else {
            return nil
        }
        codesURL = url + "/handover-codes"
        version = String(details.package.version)
        enterLabel = words.fill(t.handover.enter)
        isPrimary = details.role == .carrier
        enterHint = words.fill(isPrimary ? t.handover.enterHintCarrier : t.handover.enterHintOwner)
        codeMessage = Self.message(sent, words, t)
        isCodeInvalid = !codeMessage.isEmpty
        typedCode = sent.code.isEmpty ? offered ?? "" : sent.code
        isOpen = isPrimary || !typedCode.isEmpty || isCodeInvalid
    }

    private static func message(_ sent: PackagePage.Sent, _ words: PackageTextFormatter, _ t: CarrepsaStrings) -> String
    {
        if let error = sent.error, error.code == .throttled { return error.message }
        guard sent.error?.fields["code"] != nil else { return "" }
        return sent.code.isEmpty ? t.handover.missing : words.fill(t.handover.wrong)
    }
}

extension PackagePage.Sent {
    /// Returns the error at a text field; empty for none.
    fileprivate func message(of field: String, typed: String, missing: String, _ t: CarrepsaStrings) -> String {
        guard error?.fields[field] != nil else { return "" }
        if typed.allSatisfy(\.isWhitespace) { return missing }
        return CarrepsaStrings.fill(t.actions.disputeTooLong, ["n": String(Limits.descriptionCharacters)])
    }
}

/// The view model of *Report a problem*.
struct DisputeForm: Sendable {
    let disputeURL: String
    let version: String
    let typedReason: String
    let reasonMessage: String
    let isReasonInvalid: Bool

    init?(_ details: PackageDetails, sent: PackagePage.Sent, _ t: CarrepsaStrings) {
        guard details.actions.contains(.dispute) else { return nil }
        disputeURL = CarrepsaPath.package(details.package.id) + "/dispute"
        version = String(details.package.version)
        typedReason = sent.reason
        reasonMessage = sent.message(of: "reason", typed: sent.reason, missing: t.actions.disputeMissing, t)
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

    init?(_ details: PackageDetails, sent: PackagePage.Sent, _ t: CarrepsaStrings) {
        guard details.actions.contains(.addStatement) else { return nil }
        statementURL = CarrepsaPath.package(details.package.id) + "/statements"
        version = String(details.package.version)
        typedStatement = sent.statement
        statementMessage = sent.message(
            of: "statement", typed: sent.statement, missing: t.actions.statementMissing, t)
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

    init?(_ details: PackageDetails, sent: PackagePage.Sent, _ words: PackageTextFormatter, _ t: CarrepsaStrings) {
        let texts: [(PackageAction, DisputeOutcome, String, String, String)] = [
            (.decideDelivered, .delivered, t.operators.deliveredLabel, t.operators.deliveredNote, "button-primary"),
            (.decideRefunded, .refunded, t.operators.refundedLabel, t.operators.refundedNote, "button-secondary"),
            (.decideLost, .lost, t.operators.lostLabel, t.operators.lostNote, "button-danger"),
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
            ? "" : CarrepsaStrings.fill(t.operators.noteTooLong, ["n": String(Limits.descriptionCharacters)])
        isNoteInvalid = !noteMessage.isEmpty
    }
}

/// The view model of the reader's handover code. Scripts insert its fragment into the package's page.
struct HandoverCodePage: Sendable {
    let shell: Shell
    let t: CarrepsaStrings
    let digits: String
    /// The digits in two groups, for reading out.
    let spokenDigits: String
    let qr: String
    let explanation: String
    let expiryMoment: CarrepsaMoment

    init(
        _ context: SignedInContext, _ details: PackageDetails, _ code: HandoverCode, url: String, t: CarrepsaStrings,
        formatter: CarrepsaFormatter
    ) throws {
        shell = Shell(
            context, title: t.handover.yours, menu: .carrepsa(t), isLargeTitle: false, isNarrow: true, hasTabs: false,
            back: ShellBack(url: CarrepsaPath.package(details.package.id), label: details.package.title)
        )
        self.t = t
        digits = code.code
        let half = code.code.count / 2
        spokenDigits = code.code.prefix(half) + "\u{a0}" + code.code.dropFirst(half)
        qr = try QRCode.svg(url)
        explanation = PackageTextFormatter(details, t: t, formatter: formatter).fill(t.handover.yoursText)
        expiryMoment = CarrepsaMoment(code.expiresAt, formatter)
    }
}
