import Accounts
import Kernel
import Quotas
import WebCore

/// The view model of how much the accounts store.
struct StoragePage: Sendable {
    let shell: Shell
    let facts: [AdminFact]
    let accounts: [StorageRow]
    let isEmpty: Bool
    let reloadURL: String
    let moreURL: String?

    init(
        _ context: SignedInContext, _ overview: StorageAdministrationService.Overview,
        _ server: any ServerStorageReader, after: String?
    ) {
        let t = context.t
        let size = ByteSizeText(t)
        facts = [
            overview.total.map { AdminFact(factLabel: t("Photos"), factText: size.text($0.pictureBytes)) },
            overview.total.map {
                AdminFact(factLabel: t("Positions"), factText: t.language.grouped(String($0.fixes)))
            },
            server.databaseBytes.map { AdminFact(factLabel: t("Database"), factText: size.text($0)) },
            server.freeDiskBytes.map { AdminFact(factLabel: t("Free disk space"), factText: size.text($0)) },
        ].compactMap(\.self)
        accounts = overview.page.items.map { StorageRow($0, t) }
        isEmpty = accounts.isEmpty
        reloadURL = AdminPath.reload(AdminPath.storage, after: after)
        moreURL = overview.page.next.map { "\(AdminPath.storage)?after=\($0)" }
        shell = .admin(context, title: t("Storage"), isRefreshable: true)
    }
}

/// An account in the list.
struct StorageRow: Sendable {
    let quotaURL: String
    let name: String
    let usageText: String
    let isNearLimit: Bool
    let sizeText: String

    init(_ summary: StorageAdministrationService.Summary, _ t: Translator) {
        let usage = summary.usage
        quotaURL = AdminPath.quota(summary.account.id)
        name = summary.account.name
        func count(_ count: Int) -> KeyValuePairs<String, String> { ["n": t.language.grouped(String(count))] }
        usageText = [
            usage.pictures == 0
                ? nil
                : t("{n} photo", plural: "{n} photos", count: usage.pictures, count(usage.pictures)),
            usage.fixes == 0
                ? nil
                : t("{n} position", plural: "{n} positions", count: usage.fixes, count(usage.fixes)),
        ].compactMap(\.self).isolated(separator: " · ")
        isNearLimit = summary.isNearLimit
        sizeText = ByteSizeText(t).text(usage.bytes)
    }
}

/// The view model of one account's quota.
struct QuotaPage: Sendable {
    let shell: Shell
    let facts: [AdminFact]
    /// The error message above the form.
    let problem: String?
    /// The page for the proof that a change needs; `nil` once it is given.
    let proofURL: String?
    let isProven: Bool
    /// Whether the person gets a mail about a change.
    let isNotified: Bool
    /// Whether the form is shown: once the proof is given, and with what was typed after the proof has expired.
    let showsForm: Bool
    let formURL: String
    let pictureLimitText: String
    let pictureLimitError: String?
    let pictureHint: String
    let fixLimitText: String
    let fixLimitError: String?
    let fixHint: String

    init(
        _ context: SignedInContext, _ details: StorageAdministrationService.Details, sendsMail: Bool,
        typed: QuotaFormState? = nil, error: AppError? = nil
    ) {
        let t = context.t
        let errors = FormErrors(error)
        let url = AdminPath.quota(details.account.id)
        let texts = StorageUsageText(details.usage, details.quota, t)
        facts = [
            AdminFact(factLabel: t("Photos"), factText: texts.pictures),
            AdminFact(factLabel: t("Size of the photos"), factText: texts.pictureSize),
            AdminFact(factLabel: t("Positions"), factText: texts.fixes),
        ]
        pictureLimitText = typed?.pictureLimit ?? details.chosen.pictures.map(String.init) ?? ""
        pictureLimitError = errors["pictureLimit"]
        fixLimitText = typed?.fixLimit ?? details.chosen.fixes.map(String.init) ?? ""
        fixLimitError = errors["fixLimit"]
        func hint(_ standard: Int) -> String {
            t("Leave this empty for this server’s default of {n}.", ["n": t.language.grouped(String(standard))])
        }
        pictureHint = hint(details.standard.pictures)
        fixHint = hint(details.standard.fixes)
        // A proof that has expired is asked for again below.
        problem = error.flatMap { $0.fields.isEmpty ? $0.message : nil }
        isProven = details.isProven
        isNotified = sendsMail && details.account.email != nil && details.account.id != context.actor.person
        showsForm = details.isProven || typed != nil
        proofURL = details.isProven ? nil : AdminPath.proof(for: url)
        formURL = url
        shell = .admin(
            context, title: details.account.name, back: ShellBack(url: AdminPath.storage, label: t("Storage")))
    }
}
