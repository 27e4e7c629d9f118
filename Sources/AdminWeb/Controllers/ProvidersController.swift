import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/admin/providers`: the services that people sign in with, and a test of each.
struct ProvidersController: Sendable {
    let providers: ProviderAdministrationService
    /// The settings that each provider needs.
    let settings: [ProviderName: [String]]

    func addRoutes(to routes: RouterGroup<SignedInContext>) {
        routes
            .get(use: index)
            .post("{provider}/tests", use: createTest)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let all = try await providers.list(for: context.actor)
        return try Responses.of(
            context, template: "admin-providers",
            page: { ProvidersPage(context, all, settings: settings) },
            json: {
                ListJSON(items: all.map { AdministeredProviderJSON($0, settings: settings[$0.name] ?? []) }, next: nil)
            }
        )
    }

    @Sendable func createTest(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let name = ProviderName(rawValue: try context.text("provider")) else { throw AppError.notFound }
        _ = try await Fields.read(request, context, emptyAllowed: true)
        return try await Responses.form(
            context, template: "admin-providers",
            page: { error in
                ProvidersPage(
                    context, try await providers.list(for: context.actor), settings: settings,
                    error: error.translated(to: context.language))
            },
            perform: {
                let findings = try await providers.test(name, by: context.actor)
                let all = try await providers.list(for: context.actor)
                return try Responses.of(
                    context, template: "admin-providers", status: .created,
                    page: { ProvidersPage(context, all, settings: settings, tested: (name, findings)) },
                    json: { ProviderTestJSON(name, findings) })
            }
        )
    }
}

/// A provider and whether it is set up.
struct AdministeredProviderJSON: Encodable {
    let provider: String
    let label: String
    let configured: Bool
    @Nullable var issuer: String?
    let redirectUri: String
    /// The names of the settings that it needs.
    let settings: [String]

    init(_ provider: ProviderAdministrationService.Details, settings: [String]) {
        self.provider = provider.name.rawValue
        label = provider.label
        configured = provider.issuer != nil
        issuer = provider.issuer
        redirectUri = provider.redirectURI
        self.settings = settings
    }
}

/// The result of a test.
struct ProviderTestJSON: Encodable {
    let provider: String
    let works: Bool
    let findings: [FindingJSON]

    init(_ name: ProviderName, _ findings: [ProviderFinding]) {
        provider = name.rawValue
        works = !findings.contains(where: \.isProblem)
        self.findings = findings.map(FindingJSON.init)
    }
}
