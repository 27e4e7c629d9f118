package import Accounts
import Hummingbird
import Kernel
package import Pictures
package import WebCore

/// The start page and the account pages: one controller for each resource.
package struct AccountsModule: WebModule {
    private let accounts: AccountServices
    private let imports: AccountImportService
    private let storage: StorageUsageService
    private let pictures: PictureLibrary
    private let confirmations: ConfirmationPartBuilder
    private let attempts: ProviderAttemptResponder

    /// Creates the module.
    package init(
        accounts: AccountServices, imports: AccountImportService, storage: StorageUsageService, pictures: PictureLibrary
    ) {
        self.accounts = accounts
        self.imports = imports
        self.storage = storage
        self.pictures = pictures
        let providers = accounts.providers
        confirmations = ConfirmationPartBuilder(providers: providers.catalog, sendsMail: accounts.sendsMail)
        attempts = ProviderAttemptResponder(attempts: providers.attempts, providers: providers.catalog)
    }

    package var embedded: EmbeddedFiles { EmbeddedFiles(Embedded.base64) }

    /// The start page and the pictures. The account isn't stored offline: it contains contact and security data.
    package var offlinePaths: [String] { ["/", "/pictures", "/pictures/{id}", "/account/choices/{choice}"] }

    /// Adds all routes of this module.
    package func addRoutes(to routes: Routes) {
        let account = routes.signedIn.group("account")
        addSignInRoutes(to: routes)
        addLockRoutes(to: routes)
        addProfileRoutes(
            shared: routes.everyone.group("account"), account: account,
            profile: routes.everyone.serving(.scope(.accountRead)).group("account"))
        addSecurityRoutes(open: routes.openWhileLocked, account: account)
        PicturesController(library: pictures, removals: accounts.pictures)
            .addRoutes(to: routes.everyone, everyDevice: routes.everyDevice)
    }

    /// Adds the routes of registration, sign-in and sign-out.
    private func addSignInRoutes(to routes: Routes) {
        let providers = accounts.providers
        let pages = SignInPageBuilder(providers: providers.catalog, offers: providers.offers)
        let responder = SignInResponder(
            sessions: accounts.sessions, providers: providers.catalog, offers: providers.offers)
        StartController().addRoutes(to: routes.open)
        SetupController(setup: accounts.setup, responder: responder).addRoutes(to: routes.open)
        RegistrationsController(
            registrations: accounts.registrations, invitations: accounts.serverInvitations, pages: pages,
            responder: responder
        ).addRoutes(to: routes.open)
        SessionsController(
            signIns: accounts.signIns, sessions: accounts.sessions, pages: pages, responder: responder
        ).addRoutes(to: routes)
        ProviderSignInsController(
            providers: providers.catalog, callbacks: providers.callbacks, responder: responder, attempts: attempts
        ).addRoutes(to: routes)
        PasskeySignInsController(signIns: accounts.passkeys.signIns, pages: pages, responder: responder)
            .addRoutes(to: routes.openWhileLocked)
    }

    /// Adds the routes of the lock, of passkeys and of Touch ID.
    private func addLockRoutes(to routes: Routes) {
        let lock = routes.whileLocked.group("lock")
        let settings = routes.signedIn.group("account/lock")
        LockController(appLocks: accounts.appLocks, sessionLocks: accounts.sessionLocks).addRoutes(to: lock)
        PasscodeController(appLocks: accounts.appLocks).addRoutes(to: lock, settings: settings)
        LockSettingsController(appLocks: accounts.appLocks).addRoutes(to: settings)
        let passkeys = accounts.passkeys
        let pages = PasskeyPageBuilder(
            passkeys: passkeys.registered, touchID: passkeys.touchID, confirmations: confirmations)
        PasskeyChallengesController(registrations: passkeys.registrations, unlocks: passkeys.unlocks)
            .addRoutes(to: routes.whileLocked)
        PasskeysController(passkeys: passkeys.registered, registrations: passkeys.registrations, pages: pages)
            .addRoutes(to: routes.signedIn)
        TouchIDController(touchID: passkeys.touchID, pages: pages).addRoutes(to: routes.signedIn)
    }

    /// Adds the routes of the profile.
    /// - Parameters:
    ///   - shared: the routes that children may use too.
    ///   - account: the routes of adults.
    ///   - profile: the routes that read the profile.
    private func addProfileRoutes(
        shared: RouterGroup<SignedInContext>, account: RouterGroup<SignedInContext>,
        profile: RouterGroup<SignedInContext>
    ) {
        let fieldSheets = FieldSheetResponder(accounts: accounts.reader, profiles: accounts.profiles)
        AccountController(
            accounts: accounts.reader, profiles: accounts.profiles, pictures: pictures, fieldSheets: fieldSheets,
            hasProviders: !accounts.providers.catalog.summaries.isEmpty, sendsMail: accounts.sendsMail
        ).addRoutes(to: shared, account: account, profile: profile)
        AccountFieldsController(responder: fieldSheets).addRoutes(to: account)
        RequiredProfileController(accounts: accounts.reader, profiles: accounts.profiles).addRoutes(to: account)
        DataExportController(exports: accounts.exports).addRoutes(to: shared)
        AccountImportController(imports: imports, sendsMail: accounts.sendsMail).addRoutes(to: account)
        StorageUsageController(usage: storage).addRoutes(to: account)
        AccountSessionsController(sessions: accounts.sessions).addRoutes(to: shared)
        AccessTokensController(tokens: accounts.accessTokens, proofs: accounts.proofs).addRoutes(to: account)
    }

    /// Adds the routes of the password, the email, proofs, linked identities and the account's deletion.
    private func addSecurityRoutes(open: RouteGroup<AppContext>, account: RouterGroup<SignedInContext>) {
        PasswordController(passwords: accounts.passwords, confirmations: confirmations).addRoutes(to: account)
        PasswordResetsController(resets: accounts.passwordResets, sendsMail: accounts.sendsMail).addRoutes(to: open)
        EmailVerificationsController(verifications: accounts.emailVerifications).addRoutes(to: open, account: account)
        EmailChangesController(changes: accounts.emailChanges).addRoutes(to: open, account: account)
        ProofsController(
            proofs: accounts.proofs, passkeyProofs: accounts.passkeys.proofs, methods: accounts.signInMethods,
            confirmations: confirmations, attempts: attempts
        ).addRoutes(to: account)
        IdentitiesController(
            identities: accounts.providers.identities, providers: accounts.providers.catalog,
            methods: accounts.signInMethods, confirmations: confirmations, attempts: attempts
        ).addRoutes(to: account)
        AccountDeletionController(deletions: accounts.deletions, confirmations: confirmations).addRoutes(to: account)
    }
}
