import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/admin/payment-instructions`: what people read about payments on this server.
struct PaymentInstructionsController: Sendable {
    let instructions: PaymentInstructionsService

    func addRoutes(to root: RouterGroup<SignedInContext>) {
        root
            .get("payment-instructions", use: show)
            .put("payment-instructions", use: update)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (stored, isProven) = try await instructions.instructions(for: context.actor)
        return try Responses.of(
            context, template: "admin-payment-instructions", version: stored.version,
            page: {
                PaymentInstructionsPage(
                    context, PaymentInstructionsFormState(stored), isProven: isProven, error: nil)
            },
            json: { PaymentInstructionsJSON(stored) })
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let fields = try await Fields.read(request, context)
        var typed = PaymentInstructionsFormState(fields)
        return try await Responses.form(
            context, template: "admin-payment-instructions",
            page: { error in
                let (stored, isProven) = try await instructions.instructions(for: context.actor)
                if error.code == .conflict { typed.version = String(stored.version) }
                return PaymentInstructionsPage(
                    context, typed, isProven: isProven, error: error.translated(to: context.language))
            },
            perform: {
                var fields = fields
                let input = PaymentInstructionsInput(
                    topUpText: fields.string("topUpText").value, payoutText: fields.string("payoutText").value,
                    accountHolder: fields.string("accountHolder").value, iban: fields.string("iban").value,
                    bic: fields.string("bic").value)
                try fields.check { try input.check() }
                let stored = try await instructions.change(input, by: context.change(fields))
                return try Responses.changed(
                    context, version: stored.version, json: { PaymentInstructionsJSON(stored) },
                    seeOther: AdminPath.paymentInstructions, toast: ShellToast(context.t("Saved")))
            })
    }
}

/// The submitted form of payment instructions.
struct PaymentInstructionsFormState: Sendable {
    let topUpText: String
    let payoutText: String
    let accountHolder: String
    let iban: String
    let bic: String
    /// The version from which the form was rendered.
    var version: String

    init(_ stored: PaymentInstructions) {
        topUpText = stored.topUpText ?? ""
        payoutText = stored.payoutText ?? ""
        accountHolder = stored.bankAccount?.holder ?? ""
        iban = stored.bankAccount?.iban.grouped ?? ""
        bic = stored.bankAccount?.bic?.text ?? ""
        version = String(stored.version)
    }

    init(_ fields: Fields) {
        topUpText = fields.typed("topUpText")
        payoutText = fields.typed("payoutText")
        accountHolder = fields.typed("accountHolder")
        iban = fields.typed("iban")
        bic = fields.typed("bic")
        version = fields.typed("version")
    }
}

/// What people read about payments.
struct PaymentInstructionsJSON: Encodable {
    @Nullable var topUpText: String?
    @Nullable var payoutText: String?
    @Nullable var accountHolder: String?
    @Nullable var iban: String?
    @Nullable var bic: String?
    let version: Int64

    init(_ stored: PaymentInstructions) {
        topUpText = stored.topUpText
        payoutText = stored.payoutText
        accountHolder = stored.bankAccount?.holder
        iban = stored.bankAccount?.iban.text
        bic = stored.bankAccount?.bic?.text
        version = stored.version
    }
}
