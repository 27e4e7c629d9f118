import Carrepsa
import Kernel
import WebCore

/// The view model of the form with what people read about payments.
struct PaymentInstructionsPage: Sendable {
    let shell: Shell
    let formAction: String
    let typedVersion: String
    let problem: String?
    /// The page for the proof that the change needs; `nil` once it is given.
    let proofURL: String?
    let isProven: Bool
    let textFields: [InstructionsField]
    let accountFields: [InstructionsField]

    init(
        _ context: SignedInContext, _ typed: PaymentInstructionsFormState, isProven: Bool, error: AppError?
    ) {
        let t = context.t
        shell = .admin(context, title: t("Payment instructions"))
        formAction = AdminPath.paymentInstructions + "?_method=put"
        typedVersion = typed.version
        self.isProven = isProven
        proofURL = isProven ? nil : AdminPath.proof(for: AdminPath.paymentInstructions)
        let errors = FormErrors(error)
        problem =
            error?.code == .conflict
            ? t("This was changed elsewhere. Your entries are still here. Save again to keep them.")
            : error.flatMap { $0.fields.isEmpty ? $0.message : nil }
        func field(_ name: String, _ label: String, _ value: String, _ hint: String) -> InstructionsField {
            InstructionsField(
                id: name, label: label, value: value, hint: hint,
                isInvalid: errors[name] != nil, message: errors[name] ?? "")
        }
        textFields = [
            field(
                "topUpText", t("How people put money into their wallet"), typed.topUpText,
                t("For example: by bank transfer, or in cash at the town hall on Mondays.")),
            field(
                "payoutText", t("How people are paid out"), typed.payoutText,
                t("For example: within a few working days, by bank transfer.")),
        ]
        accountFields = [
            field("accountHolder", t("Account holder"), typed.accountHolder, ""),
            field("iban", t("IBAN"), typed.iban, ""),
            field("bic", t("BIC"), typed.bic, t("Optional within the European Economic Area")),
        ]
    }
}

/// A text field of the form.
struct InstructionsField: Sendable {
    let id: String
    let label: String
    let value: String
    let hint: String
    let isInvalid: Bool
    let message: String
}
