import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/admin/mail`: the results of mails, and a test mail.
struct MailController: Sendable {
    let mail: MailAdministrationService

    func addRoutes(to root: RouterGroup<SignedInContext>) {
        root
            .get("mail", use: index)
            .post("mail/tests", use: createTest)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let page = try await mail.list(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "admin-mail",
            page: { MailPage(context, page, sendsMail: mail.sendsMail) },
            json: { ListJSON(items: page.items.map(MailLogEntryJSON.init), next: page.next) }
        )
    }

    @Sendable func createTest(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let email = fields.string("email").value
        let typed = fields.typed("email")
        return try await Responses.form(
            context, template: "admin-mail",
            page: { error in
                let page = try await mail.list(for: context.actor, after: nil, limit: Limits.pageSizeDefault)
                return MailPage(
                    context, page, sendsMail: mail.sendsMail, typed: typed,
                    error: error.translated(to: context.language))
            },
            perform: { [fields] in
                try fields.check()
                if let failure = try await mail.sendTest(
                    to: email, language: context.language.rawValue, by: context.actor)
                {
                    throw AppError(.conflict, failure.message.text)
                }
                return try Responses.created(
                    context, location: AdminPath.mail, json: { TestMailJSON(email: typed) }, seeOther: AdminPath.mail,
                    toast: ShellToast(context.t("The test mail was sent")))
            }
        )
    }
}

/// A test mail that was accepted.
struct TestMailJSON: Encodable {
    let email: String
}

/// The result of a mail.
struct MailLogEntryJSON: Encodable {
    let at: Instant
    let recipient: String
    let kind: String
    let result: String
    let attempts: Int
    @Nullable var reason: String?

    init(_ entry: MailLogEntry) {
        at = entry.updatedAt
        recipient = entry.recipient
        kind = entry.kind
        result = entry.result.rawValue
        attempts = entry.attempts
        reason = entry.message?.text
    }
}

/// The view model of the log of mails.
struct MailPage: Sendable {
    let shell: Shell
    let sendsMail: Bool
    let formURL: String
    /// The error message above the form.
    let problem: String?
    let emailText: String
    let emailError: String?
    let isEmpty: Bool
    let mails: [MailRow]
    let moreURL: String?

    init(
        _ context: SignedInContext, _ page: ListPage<MailLogEntry>, sendsMail: Bool, typed: String? = nil,
        error: AppError? = nil
    ) {
        let times = TimeFormatter(context.t, now: context.web.clock.now)
        let errors = FormErrors(error)
        self.sendsMail = sendsMail
        formURL = "\(AdminPath.mail)/tests"
        problem = errors.message
        emailError = errors["email"]
        emailText = typed ?? context.account.email ?? ""
        mails = page.items.map { MailRow($0, context.t, times) }
        isEmpty = page.items.isEmpty
        moreURL = page.next.map { "\(AdminPath.mail)?after=\(PercentEncoding.encoded($0))" }
        shell = .admin(context, title: context.t("Mail"), isRefreshable: true)
    }
}

/// The result of one mail.
struct MailRow: Sendable {
    let icon: String
    let recipient: String
    let resultText: String
    let moment: FormattedTime

    init(_ entry: MailLogEntry, _ t: Translator, _ times: TimeFormatter) {
        recipient = entry.recipient
        let result: String
        switch entry.result {
        case .sent:
            icon = "circle-check"
            result = t("Sent")
        case .retried:
            icon = "clock"
            result = t("Tried again later")
        case .failed:
            icon = "triangle-alert"
            result = t("Failed for good")
        }
        resultText = [result, entry.message.map { t.message($0.text) }].compactMap(\.self).isolated(separator: " · ")
        moment = FormattedTime(entry.updatedAt, times)
    }
}
