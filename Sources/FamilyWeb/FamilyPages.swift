package import Accounts
package import Family
import Hummingbird
import Kernel
package import Pictures
package import WebCore

/// The web module of Family: pages, fragments and JSON for parents and children.
package struct FamilyPages: WebModule {
    let family: FamilyServices
    let accounts: AccountService
    let pictures: PictureLibrary

    package init(services: FamilyServices, accounts: AccountService, pictures: PictureLibrary) {
        family = services
        self.accounts = accounts
        self.pictures = pictures
    }

    /// The templates of this module.
    package var embedded: EmbeddedFiles { EmbeddedFiles(Embedded.base64) }

    package var appID: String? { AppMenu.familyID }

    /// Returns Family's tab bar, without tabs for visitors who aren't signed in.
    package func menu(_ context: AppContext) -> AppMenu? {
        let t = context.familyStrings
        guard let account = context.identity?.account else { return .familySignedOut(t) }
        return .family(t, for: account).withSettings(below: FamilyTab.account.rawValue)
    }

    /// Returns the translation of an error of Family; `nil` for any other text.
    package func translation(of message: String, to language: Language) -> String? {
        FamilyMessage.translation(of: message, to: language)
    }

    /// Adds the routes below `/family`.
    package func addRoutes(to routes: Routes) {
        routes.open.get("/family", use: start)
        let everyone = routes.everyone.group("/family")
        everyone.add(middleware: RequiredProfileMiddleware.family)
        addSharedRoutes(to: everyone)
        let parents = routes.signedIn.group("/family")
        parents.add(middleware: RequiredProfileMiddleware.family)
        addChildrenRoutes(to: parents.group("children"))
        DeletedChildrenController(family: self.family, accounts: accounts).addRoutes(
            to: parents.group("deleted-children"))
        addPointsRoutes(to: parents.group("children/{id}"))
        addChoreRoutes(to: parents.group("chores"))
        parents.patch("account", use: updateOwn)
        addChildRoutes(to: routes)
    }

    /// Adds the routes that parents and children share.
    private func addSharedRoutes(to family: RouterGroup<SignedInContext>) {
        family.get("menu", use: showMenu)
        family.get("children", use: listChildren)
        family.get("children/{id}", use: showChild)
        family.patch("children/{id}", use: updateChild)
        family.get("children/{id}/contracts", use: listContracts)
        family.get("children/{id}/assignments", use: listAssignments)
        family.get("children/{id}/requests", use: listRequests)
        family.get("children/{id}/requests/{requestId}", use: showRequest)
        family.delete("children/{id}/requests/{requestId}", use: endRequest)
        family.get("chores", use: listChores)
        family.get("chores/{id}", use: showChore)
        family.get("parents", use: listParents)
        family.get("account", use: showOwn)
        family.get("account/edit", use: editOwn)
    }

    private func addChildrenRoutes(to children: RouterGroup<SignedInContext>) {
        children.get("new", use: newChild)
        children.post(use: addChild)
        children.get("{id}/edit", use: editChild)
        children.get("{id}/menu", use: showChildMenu)
        children.delete("{id}", use: deleteChild)
        children.post("{id}/restoration", use: restoreChild)
    }

    private func addPointsRoutes(to child: RouterGroup<SignedInContext>) {
        child.get("contracts/new", use: newContract)
        child.post("contracts", use: addContract)
        child.put("contracts/{contractId}/levels/{level}/handover", use: handOver)
        child.delete("contracts/{contractId}/levels/{level}/handover", use: takeHandoverBack)
        child.get("assignments/new", use: newAssignments)
        child.post("assignments", use: assign)
        child.delete("assignments/{assignmentId}", use: undoAssignment)
        child.post("requests/{requestId}/approval", use: approve)
    }

    private func addChoreRoutes(to chores: RouterGroup<SignedInContext>) {
        chores.get("new", use: newChore)
        chores.post(use: addChore)
        chores.get("{id}/edit", use: editChore)
        chores.patch("{id}", use: updateChore)
        chores.delete("{id}", use: deleteChore)
        chores.post("{id}/restoration", use: restoreChore)
    }

    func formatter(_ context: some WebContext) -> FamilyFormatter {
        FamilyFormatter(language: context.language, now: context.web.clock.now)
    }
}

extension WebContext {
    /// The texts in the reader's language.
    var familyStrings: FamilyStrings { .of(language) }

    /// Returns a service's error in the reader's language.
    func translated(_ error: AppError) -> AppError { web.translated(error, to: language) }
}

extension RequiredProfileMiddleware {
    /// Requires a date of birth.
    static let family = RequiredProfileMiddleware(.family, root: FamilyPath.root)
}
