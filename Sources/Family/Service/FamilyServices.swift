package import Accounts
package import Kernel
package import Ledger
package import Logging
package import Pictures
package import Storage

/// The services of Family, one for each resource. Every use case takes an `Actor`; ``FamilyPolicy`` decides whether the
/// actor may do the action. Points are ledger transfers, posted in the transaction of the assignment.
package struct FamilyServices: Sendable {
    package let households: HouseholdService
    package let children: ChildService
    package let childDeletions: ChildDeletionService
    package let chores: ChoreService
    package let assignments: AssignmentService
    package let contracts: ContractService
    package let requests: ChoreRequestService
    package let requestDecisions: RequestDecisionService
    package let signInCodes: SignInCodeService
    package let childSignIns: ChildSignInService
    package let childDevices: ChildDeviceService
    package let parents: ParentService
    package let removals: RemovalService
    package let invitations: InvitationService
    package let invitationAcceptances: InvitationAcceptanceService
    package let housekeeping: FamilyHousekeeping

    /// Owned here, because the data handler's reference is weak.
    private let delegates: FamilyDataHandler.Delegates

    /// Lets the members of a household see the pictures of its chores and the avatars of its members.
    package static var pictureVisibility: any PictureVisibility { FamilyPictures() }

    /// Creates the services and registers them with `dataHandler`.
    /// - Parameters:
    ///   - dataHandler: the handler that `accounts` was created with.
    ///   - siteURL: the site's address without a trailing slash; links in codes begin with it.
    package init(
        database: Database, accounts: AccountService, ledger: Ledger, dataHandler: FamilyDataHandler, siteURL: String,
        clock: any WallClock, random: any RandomSource, logger: Logger
    ) {
        let creator = HouseholdCreator(database: database, accounts: accounts, clock: clock, random: random)
        let transactions = HouseholdTransactions(database: database, accounts: accounts, creator: creator)
        let childReader = ChildReader(accounts: accounts, ledger: ledger)
        let contractReader = ContractReader(ledger: ledger)
        let deletedChildReader = DeletedChildReader(accounts: accounts)
        let parentReader = ParentReader(accounts: accounts)
        let notifier = FamilyNotifier()
        let childNotifier = ChildNotifier(notifier: notifier)
        let parentNotifier = ParentNotifier(notifier: notifier)
        let recorder = AssignmentRecorder(ledger: ledger, notifier: childNotifier)
        let closer = ChoreRequestCloser(notifier: childNotifier)
        let erasure = ChildErasure(accounts: accounts, notifier: notifier)
        let departure = ParentDeparture(accounts: accounts, notifier: parentNotifier)
        let dissolution = HouseholdDissolution(accounts: accounts)
        let verifier = FamilyCodeVerifier(database: database, clock: clock)
        households = HouseholdService(
            transactions: transactions, creator: creator, children: childReader, parents: parentReader,
            deletedChildren: deletedChildReader, accounts: accounts, clock: clock)
        children = ChildService(
            transactions: transactions, children: childReader, accounts: accounts, ledger: ledger, clock: clock,
            random: random)
        childDeletions = ChildDeletionService(
            transactions: transactions, children: childReader, deletedChildren: deletedChildReader, erasure: erasure,
            notifier: ChildDeletionNotifier(notifier: notifier), accounts: accounts, clock: clock)
        chores = ChoreService(transactions: transactions, clock: clock, random: random)
        assignments = AssignmentService(
            transactions: transactions, children: childReader, recorder: recorder, notifier: childNotifier,
            ledger: ledger, clock: clock, random: random)
        contracts = ContractService(
            transactions: transactions, children: childReader, contracts: contractReader, notifier: childNotifier,
            ledger: ledger, clock: clock, random: random)
        requests = ChoreRequestService(
            transactions: transactions, children: childReader, closer: closer, notifier: childNotifier, clock: clock,
            random: random)
        requestDecisions = RequestDecisionService(
            transactions: transactions, closer: closer, recorder: recorder, notifier: childNotifier, clock: clock,
            random: random)
        signInCodes = SignInCodeService(
            transactions: transactions, accounts: accounts, notifier: childNotifier, siteURL: siteURL, clock: clock,
            random: random)
        childSignIns = ChildSignInService(
            verifier: verifier, children: childReader, accounts: accounts, notifier: childNotifier, clock: clock,
            random: random)
        childDevices = ChildDeviceService(
            transactions: transactions, children: childReader, accounts: accounts, clock: clock)
        parents = ParentService(
            transactions: transactions, parents: parentReader, departure: departure, accounts: accounts, clock: clock)
        removals = RemovalService(
            transactions: transactions, parents: parentReader, notifier: parentNotifier, accounts: accounts,
            clock: clock)
        invitations = InvitationService(
            transactions: transactions, accounts: accounts, siteURL: siteURL, clock: clock, random: random)
        invitationAcceptances = InvitationAcceptanceService(
            transactions: transactions, verifier: verifier, parents: parentReader, departure: departure,
            dissolution: dissolution, notifier: parentNotifier, accounts: accounts, clock: clock)
        housekeeping = FamilyHousekeeping(
            database: database,
            parentRemovals: DueParentRemovals(database: database, departure: departure, clock: clock, logger: logger),
            childErasures: DueChildErasures(database: database, erasure: erasure, clock: clock, logger: logger),
            clock: clock)
        delegates = FamilyDataHandler.Delegates(
            export: FamilyExport(
                database: database, accounts: accounts, children: childReader, contractReader: contractReader,
                clock: clock),
            erasure: MemberErasure(departure: departure, dissolution: dissolution, clock: clock),
            childSessions: ChildSessions(accounts: accounts))
        dataHandler.register(delegates)
    }
}
