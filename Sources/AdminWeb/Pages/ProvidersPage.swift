import Accounts
import Kernel
import WebCore

/// The view model of the sign-in providers.
struct ProvidersPage: Sendable {
    let shell: Shell
    /// The error message above the list.
    let problem: String?
    let providers: [ProviderGroup]

    init(
        _ context: SignedInContext, _ providers: [ProviderAdministrationService.Details],
        settings: [ProviderName: [String]], tested: (name: ProviderName, findings: [ProviderFinding])? = nil,
        error: AppError? = nil
    ) {
        let t = context.t
        problem = error?.message
        self.providers = providers.map { provider in
            ProviderGroup(
                provider, settings: settings[provider.name] ?? [],
                findings: tested.flatMap { $0.name == provider.name ? $0.findings : nil }, t)
        }
        shell = .admin(context, title: t("Sign-in providers"))
    }
}

/// A provider with the result of its test.
struct ProviderGroup: Sendable {
    let label: String
    let isConfigured: Bool
    let issuerText: String
    let redirectID: String
    let redirectURI: String
    let copyLabel: String
    let setUpNote: String
    let testURL: String
    let testLabel: String
    let isTested: Bool
    let findings: [AdminRow]

    init(
        _ provider: ProviderAdministrationService.Details, settings: [String], findings: [ProviderFinding]?,
        _ t: Translator
    ) {
        let name: KeyValuePairs = ["name": provider.label]
        label = provider.label
        isConfigured = provider.issuer != nil
        issuerText = provider.issuer ?? ""
        redirectID = "redirect-\(provider.name.rawValue)"
        redirectURI = provider.redirectURI
        copyLabel = t("Copy address: {name}", name)
        setUpNote = t(
            "Not set up. Register this address there, set {settings} and restart the server.",
            ["settings": settings.isolated(separator: ", ")])
        testURL = "\(AdminPath.providers)/\(provider.name.rawValue)/tests"
        testLabel = t("Try {name}", name)
        isTested = findings != nil
        self.findings = (findings ?? []).map { AdminRow($0, t) }
    }
}
