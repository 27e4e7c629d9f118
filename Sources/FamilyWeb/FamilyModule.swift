package import Accounts
package import Family
import Hummingbird
import Kernel
package import Pictures
package import WebCore

/// Family's pages, fragments and JSON API: one controller for each resource.
package struct FamilyModule: WebModule {
    private let family: FamilyServices
    private let accounts: AccountServices
    private let pictures: PictureLibrary
    private let positions: PositionLinks

    package init(
        services: FamilyServices, accounts: AccountServices, pictures: PictureLibrary, positions: PositionLinks
    ) {
        self.positions = positions
        family = services
        self.accounts = accounts
        self.pictures = pictures
    }

    /// The templates of this module.
    package var embedded: EmbeddedFiles { EmbeddedFiles(Embedded.base64) }

    package var appID: String? { AppMenu.familyID }

    /// Returns Family's tab bar, without tabs for visitors who aren't signed in.
    package func menu(_ context: AppContext) -> AppMenu? {
        let t = context.t
        guard let account = context.identity?.account else { return .familySignedOut(t) }
        return .family(t, for: account).withSettings(below: FamilyTab.account.rawValue)
    }

    /// The pages that the browser keeps for offline use: children, chores, points and rewards, but not sign-in codes,
    /// invitations and devices.
    package var offlinePaths: [String] {
        [
            "/family", "/family/menu", "/family/children/new", "/family/children/{id}", "/family/children/{id}/edit",
            "/family/children/{id}/menu", "/family/children/{id}/contracts", "/family/children/{id}/contracts/new",
            "/family/children/{id}/assignments", "/family/children/{id}/assignments/new", "/family/chores",
            "/family/chores/new",
            "/family/chores/{id}/edit", "/family/chores/{id}/schedule", "/family/starter-chores", "/family/today",
            "/family/requests", "/family/chores/{id}/requests/new", "/family/pauses", "/family/swaps",
            "/family/shop", "/family/shop/new", "/family/shop/{id}/edit", "/family/children/{id}/purchases",
            "/family/account", "/family/account/edit", "/family/tablet", "/family/tablet/children/{id}",
            "/family/tablet/children/{id}/chores/{choreId}",
        ]
    }

    /// Adds the routes below `/family`.
    package func addRoutes(to routes: Routes) {
        let open = routes.open.group("/family")
        let openWhileLocked = routes.openWhileLocked.group("/family")
        let groups = FamilyRouteGroups(routes)
        ChildSignInController(signIns: family.childSignIns, sessions: accounts.sessions, pictures: pictures)
            .addRoutes(to: openWhileLocked)
        CodeScannerController().addRoutes(to: openWhileLocked)
        TabletPairingController(pairings: family.tabletPairings, sessions: accounts.sessions)
            .addRoutes(to: openWhileLocked)
        addTabletRoutes(to: routes.sharedDevices.group("/family/tablet"))
        addChildrenRoutes(root: routes.open, groups)
        addPointsRoutes(shared: groups.shared, parents: groups.parents)
        addHouseholdRoutes(open: open, groups)
    }

    /// Adds the routes of the dashboard, of children's profiles, and of their codes and devices.
    private func addChildrenRoutes(root: RouteGroup<AppContext>, _ groups: FamilyRouteGroups) {
        let (shared, parents) = (groups.shared, groups.parents)
        let children = ChildrenController(
            children: family.children, deletions: family.childDeletions, households: family.households,
            pictures: pictures, positions: positions)
        let profiles = ChildProfileController(children: family.children, pictures: pictures)
        let dashboard = DashboardController(households: family.households)
        let childDashboard = ChildDashboardController(households: family.households, positions: positions)
        let menus = MenusController(children: family.children)
        FamilyRootController(
            dashboards: RoleHandlers(parents: dashboard.show, children: childDashboard.show), children: children
        ).addRoutes(to: root)
        shared.get("menu", use: RoleHandlers(parents: menus.show, children: ChildMenuController().show).respond)
        menus.addRoutes(to: parents)
        shared.get("children", use: children.index)
        shared.get("children/{id}", use: RoleHandlers(parents: children.show, children: profiles.show).respond)
        shared.patch("children/{id}", use: RoleHandlers(parents: children.update, children: profiles.update).respond)
        children.addRoutes(to: parents)
        ChildRestorationsController(deletions: family.childDeletions).addRoutes(to: parents)
        DeletedChildrenController(deletions: family.childDeletions).addRoutes(to: groups.membership)
        SignInCodesController(codes: family.signInCodes, children: family.children).addRoutes(to: groups.membership)
        TabletsController(tablets: family.tablets).addRoutes(to: groups.membership)
        PicturePINController(pins: family.picturePINs).addRoutes(to: groups.membership)
        ChildDevicesController(devices: family.childDevices).addRoutes(to: groups.ownAccount)
    }

    /// Adds the routes of chores, contracts, assignments and requests.
    private func addPointsRoutes(shared: RouterGroup<SignedInContext>, parents: RouterGroup<SignedInContext>) {
        let responder = ChildActionResponder(children: family.children)
        let chores = ChoresController(
            chores: family.chores, schedules: family.schedules, households: family.households, pictures: pictures)
        let childChores = ChildChoresController(chores: family.chores)
        shared.get("chores/{id}", use: RoleHandlers(parents: chores.show, children: childChores.show).respond)
        chores.addRoutes(to: parents, shared: shared)
        SchedulesController(schedules: family.schedules).addRoutes(to: parents)
        SkipsController(skips: family.skips).addRoutes(to: parents)
        TodayController(today: family.today).addRoutes(to: shared)
        TurnsController(turns: family.turns, responder: responder).addRoutes(to: shared)
        SwapsController(swaps: family.swaps).addRoutes(to: shared)
        PausesController(pauses: family.pauses).addRoutes(to: parents)
        StarterChoresController(chores: family.starterChores).addRoutes(to: parents)
        FamilySetupController(setups: family.setups).addRoutes(to: parents)
        FirstStepsController(firstSteps: family.firstSteps).addRoutes(to: parents)
        ChoreRestorationsController(chores: family.chores).addRoutes(to: parents)
        ContractsController(contracts: family.contracts, children: family.children)
            .addRoutes(to: parents, shared: shared)
        RewardHandoversController(contracts: family.contracts, responder: responder).addRoutes(to: parents)
        AssignmentsController(
            assignments: family.assignments, children: family.children, responder: responder
        ).addRoutes(to: parents, shared: shared)
        let requests = RequestsController(
            requests: family.requests, decisions: family.requestDecisions, responder: responder)
        let childRequests = ChildRequestsController(
            requests: family.requests, chores: family.chores, pictures: pictures, responder: responder)
        ChoreDoneController(chores: family.chores).addRoutes(to: shared)
        let request: RouterPath = "children/{id}/requests/{requestId}"
        shared.get(request, use: RoleHandlers(parents: requests.show, children: childRequests.show).respond)
        shared.delete(request, use: RoleHandlers(parents: requests.destroy, children: childRequests.destroy).respond)
        requests.addRoutes(to: shared)
        childRequests.addRoutes(to: shared)
        WaitingRequestsController(requests: family.requests, decisions: family.requestDecisions)
            .addRoutes(to: parents, shared: shared)
        addShopRoutes(shared: shared, parents: parents, responder)
        RequestApprovalsController(decisions: family.requestDecisions, responder: responder).addRoutes(to: parents)
    }

    /// Adds the routes of shared tablets.
    private func addTabletRoutes(to tablets: RouterGroup<SignedInContext>) {
        TabletController(days: family.tabletDays, chores: family.chores).addRoutes(to: tablets)
        TabletActionsController(
            days: family.tabletDays, requests: family.requests, turns: family.turns,
            childRequests: ChildRequestsController(
                requests: family.requests, chores: family.chores, pictures: pictures,
                responder: ChildActionResponder(children: family.children))
        ).addRoutes(to: tablets)
    }

    /// Adds the routes of the shop and of purchases.
    private func addShopRoutes(
        shared: RouterGroup<SignedInContext>, parents: RouterGroup<SignedInContext>, _ responder: ChildActionResponder
    ) {
        ShopController(shop: family.shop, wishes: family.wishes, households: family.households, pictures: pictures)
            .addRoutes(to: parents, shared: shared)
        SavingGoalsController(goals: family.savingGoals, responder: responder).addRoutes(to: shared)
        WishesController(wishes: family.wishes, shop: family.shop, responder: responder).addRoutes(to: shared)
        PurchasesController(
            purchases: family.purchases, decisions: family.purchaseDecisions, responder: responder
        ).addRoutes(to: parents, shared: shared)
    }

    /// Adds the routes of the account page, of parents and of invitations.
    private func addHouseholdRoutes(open: RouterGroup<AppContext>, _ groups: FamilyRouteGroups) {
        let (shared, group) = (groups.shared, groups.membership)
        let account = FamilyAccountController(
            households: family.households, profiles: accounts.profiles, pictures: pictures)
        let childAccount = ChildAccountController(children: family.children, households: family.households)
        let responder = ParentActionResponder(parents: family.parents)
        let parents = ParentsController(parents: family.parents, responder: responder)
        let childParents = ChildParentsController(parents: family.parents)
        let own = groups.ownAccount
        own.get("account", use: RoleHandlers(parents: account.show, children: childAccount.show).respond)
        own.get("account/edit", use: RoleHandlers(parents: account.edit, children: childAccount.edit).respond)
        shared.get("parents", use: RoleHandlers(parents: parents.index, children: childParents.index).respond)
        account.addRoutes(to: group)
        parents.addRoutes(to: group)
        RemovalsController(removals: family.removals, parents: family.parents, responder: responder)
            .addRoutes(to: group)
        HouseholdInvitationsController(invitations: family.invitations).addRoutes(to: group)
        InvitationAcceptancesController(acceptances: family.invitationAcceptances).addRoutes(to: group, open: open)
        ThemesController().addRoutes(to: shared)
    }
}

/// The groups of routes below `/family`.
private struct FamilyRouteGroups {
    /// For parents and children.
    let shared: RouterGroup<SignedInContext>
    /// For parents.
    let parents: RouterGroup<SignedInContext>
    /// For parents on their devices: the parents of the family, and who signs in to it. No access token can
    /// change that.
    let membership: RouterGroup<SignedInContext>
    /// For parents and children on their devices.
    let ownAccount: RouterGroup<SignedInContext>

    init(_ routes: Routes) {
        shared = Self.group(routes.everyone.serving(.app(.family)))
        parents = Self.group(routes.signedIn.serving(.app(.family)))
        membership = Self.group(routes.signedIn)
        ownAccount = Self.group(routes.everyone)
    }

    private static func group(_ routes: RouteGroup<SignedInContext>) -> RouterGroup<SignedInContext> {
        routes.group("/family").add(middleware: RequiredProfileMiddleware.family)
    }
}
