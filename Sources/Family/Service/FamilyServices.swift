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
    package let starterChores: StarterChoreService
    package let schedules: ScheduleService
    package let today: TodayService
    package let turns: TurnService
    package let skips: SkipService
    package let swaps: SwapService
    package let pauses: PauseService
    package let firstSteps: FirstStepsService
    package let setups: FamilySetupService
    package let assignments: AssignmentService
    package let contracts: ContractService
    package let requests: ChoreRequestService
    package let requestDecisions: RequestDecisionService
    package let shop: ShopService
    package let purchases: PurchaseService
    package let purchaseDecisions: PurchaseDecisionService
    package let savingGoals: SavingGoalService
    package let wishes: WishService
    package let signInCodes: SignInCodeService
    package let childSignIns: ChildSignInService
    package let childDevices: ChildDeviceService
    package let tablets: TabletService
    package let tabletPairings: TabletPairingService
    package let tabletAuthenticator: TabletAuthenticator
    package let tabletDays: TabletDayService
    package let picturePINs: PicturePINService
    package let parents: ParentService
    package let removals: RemovalService
    package let invitations: InvitationService
    package let invitationAcceptances: InvitationAcceptanceService
    package let housekeeping: FamilyHousekeeping
    package let importHandler: any AccountImportHandler

    /// Owned here, because the data handler's reference is weak.
    private let delegates: FamilyDataHandler.Delegates

    /// Lets the members of a household see the pictures of its chores and the avatars of its members.
    package static var pictureVisibility: any PictureVisibility { FamilyPictures() }

    /// Returns the other parents of the household of a parent or a child, with their names; an empty array for a
    /// deleted child, and without a household.
    package static func parents(with person: PersonID, in tx: Transaction) throws -> [(id: PersonID, name: String)] {
        guard let member = try HouseholdStore.member(person, in: tx), member.deletedAt == nil else { return [] }
        return try HouseholdStore.parents(of: member.household, in: tx).filter { $0 != person }
            .map { ($0, try HouseholdStore.name(of: $0, in: tx)) }
    }

    /// Returns the children of a parent's household with their names; an empty array for a child, and without a
    /// household.
    package static func children(of person: PersonID, in tx: Transaction) throws -> [(id: PersonID, name: String)] {
        guard let member = try HouseholdStore.member(person, in: tx), member.role == .parent else { return [] }
        return try HouseholdStore.members(of: member.household, in: tx).filter { $0.role == .child }
            .map { ($0.person, try HouseholdStore.name(of: $0.person, in: tx)) }
    }

    /// Locks a person's household until the end of the transaction. People who leave it lock it first.
    package static func lock(householdOf person: PersonID, in tx: Transaction) throws {
        guard let member = try HouseholdStore.member(person, in: tx) else { return }
        _ = try HouseholdStore.lock(member.household, in: tx)
    }

    /// Returns the time zone of a person's household; `nil` before a schedule needed one.
    package static func timeZone(of person: PersonID, in tx: Transaction) throws -> String? {
        guard let member = try HouseholdStore.member(person, in: tx) else { return nil }
        return try ScheduleStore.timeZone(of: member.household, in: tx)
    }

    /// Creates the services and registers them with `dataHandler`.
    /// - Parameters:
    ///   - dataHandler: the handler that `accounts` was created with.
    ///   - siteURL: the site's address without a trailing slash; links in codes begin with it.
    ///   - departures: handles people who leave a household.
    package init(
        database: Database, accounts: AccountServices, ledger: Ledger, dataHandler: FamilyDataHandler, siteURL: String,
        departures: any HouseholdDepartureHandler = NoDepartureHandler(),
        clock: any WallClock, random: any RandomSource, logger: Logger
    ) {
        let creator = HouseholdCreator(database: database, accounts: accounts.reader, clock: clock, random: random)
        let transactions = HouseholdTransactions(database: database, proofs: accounts.proofs, creator: creator)
        let childReader = ChildReader(accounts: accounts.reader, sessions: accounts.sessions, ledger: ledger)
        let contractReader = ContractReader(ledger: ledger)
        let deletedChildReader = DeletedChildReader(accounts: accounts.reader)
        let occurrences = OccurrenceReader()
        let turnRecorder = TurnRecorder(occurrences: occurrences)
        let planner = ReminderPlanner(occurrences: occurrences)
        let todayReader = TodayReader(accounts: accounts.reader, occurrences: occurrences)
        let swapReader = SwapReader(occurrences: occurrences, today: todayReader)
        let parentReader = ParentReader(accounts: accounts.reader)
        let notifier = FamilyNotifier()
        let childNotifier = ChildNotifier(notifier: notifier)
        let renewal = TurnRenewal(turns: turnRecorder, swaps: swapReader, notifier: childNotifier)
        let parentNotifier = ParentNotifier(notifier: notifier)
        let spender = PointsSpender(ledger: ledger)
        let goals = SavingGoalNotifier(spender: spender, notifier: notifier)
        let recorder = AssignmentRecorder(
            ledger: ledger, notifier: childNotifier, turns: turnRecorder, goals: goals)
        let closer = ChoreRequestCloser(notifier: childNotifier)
        let shopReader = ShopReader(children: childReader, occurrences: occurrences, spender: spender)
        let ending = PurchaseEnding(spender: spender, goals: goals, random: random)
        let erasure = ChildErasure(childAccounts: accounts.children, notifier: notifier, turns: turnRecorder)
        let departure = ParentDeparture(
            securityMails: accounts.securityMails, notifier: parentNotifier, departures: departures)
        let dissolution = HouseholdDissolution(childAccounts: accounts.children)
        let verifier = FamilyCodeVerifier(database: database, clock: clock)
        households = HouseholdService(
            transactions: transactions, creator: creator, children: childReader, parents: parentReader,
            deletedChildren: deletedChildReader, today: todayReader, swaps: swapReader, shop: shopReader,
            accounts: accounts.reader, clock: clock)
        children = ChildService(
            transactions: transactions, children: childReader, childAccounts: accounts.children,
            profiles: accounts.profiles, occurrences: occurrences, ledger: ledger, clock: clock, random: random)
        childDeletions = ChildDeletionService(
            transactions: transactions, children: childReader, deletedChildren: deletedChildReader, erasure: erasure,
            renewal: renewal, notifier: ChildDeletionNotifier(notifier: notifier), departures: departures,
            accounts: accounts.reader,
            sessions: accounts.sessions,
            proofs: accounts.proofs, securityMails: accounts.securityMails, clock: clock)
        chores = ChoreService(transactions: transactions, renewal: renewal, clock: clock, random: random)
        starterChores = StarterChoreService(transactions: transactions, clock: clock, random: random)
        let scheduleRecorder = ScheduleRecorder(planner: planner, renewal: renewal)
        schedules = ScheduleService(
            transactions: transactions, today: todayReader, occurrences: occurrences, recorder: scheduleRecorder,
            notifier: childNotifier, clock: clock, random: random)
        skips = SkipService(
            transactions: transactions, occurrences: occurrences, planner: planner, notifier: childNotifier,
            clock: clock)
        turns = TurnService(
            transactions: transactions, occurrences: occurrences, turns: turnRecorder, notifier: childNotifier,
            clock: clock)
        swaps = SwapService(
            transactions: transactions, reader: swapReader, turns: turnRecorder, notifier: childNotifier, clock: clock,
            random: random)
        pauses = PauseService(
            transactions: transactions, today: todayReader, occurrences: occurrences, renewal: renewal,
            notifier: childNotifier, clock: clock, random: random)
        today = TodayService(transactions: transactions, reader: todayReader, swaps: swapReader, clock: clock)
        firstSteps = FirstStepsService(transactions: transactions, clock: clock)
        assignments = AssignmentService(
            transactions: transactions, children: childReader, recorder: recorder, closer: closer,
            occurrences: occurrences, turns: turnRecorder, notifier: childNotifier, ledger: ledger, clock: clock,
            random: random)
        contracts = ContractService(
            transactions: transactions, children: childReader, contracts: contractReader, notifier: childNotifier,
            ledger: ledger, clock: clock, random: random)
        setups = FamilySetupService(
            transactions: transactions, children: children, childReader: childReader, starterChores: starterChores,
            schedules: schedules, planner: planner, contracts: contracts, clock: clock, random: random)
        requests = ChoreRequestService(
            transactions: transactions, children: childReader, closer: closer, occurrences: occurrences,
            turns: turnRecorder, notifier: childNotifier, clock: clock, random: random)
        requestDecisions = RequestDecisionService(
            transactions: transactions, closer: closer, recorder: recorder, notifier: childNotifier, clock: clock,
            random: random)
        let wishCloser = WishCloser(notifier: childNotifier)
        shop = ShopService(
            transactions: transactions, reader: shopReader, closer: wishCloser, goals: goals, clock: clock,
            random: random)
        wishes = WishService(
            transactions: transactions, closer: wishCloser, notifier: childNotifier, clock: clock, random: random)
        purchases = PurchaseService(
            transactions: transactions, children: childReader, shop: shopReader, spender: spender, ending: ending,
            notifier: childNotifier, clock: clock, random: random)
        purchaseDecisions = PurchaseDecisionService(
            transactions: transactions, ending: ending, notifier: childNotifier, clock: clock)
        savingGoals = SavingGoalService(
            transactions: transactions, children: childReader, goals: goals, clock: clock)
        signInCodes = SignInCodeService(
            transactions: transactions, sessions: accounts.sessions, notifier: childNotifier, siteURL: siteURL,
            clock: clock, random: random)
        childSignIns = ChildSignInService(
            verifier: verifier, children: childReader, today: todayReader, accounts: accounts.reader,
            sessionCreator: accounts.sessionCreator, notifier: childNotifier, clock: clock, random: random)
        childDevices = ChildDeviceService(
            transactions: transactions, children: childReader, sessions: accounts.sessions, clock: clock)
        tablets = TabletService(
            transactions: transactions, sessions: accounts.sessions, accounts: accounts.reader,
            today: todayReader, siteURL: siteURL, clock: clock, random: random)
        tabletPairings = TabletPairingService(
            verifier: verifier, accounts: accounts.reader, notifier: childNotifier, clock: clock, random: random)
        tabletAuthenticator = TabletAuthenticator(database: database, clock: clock, logger: logger)
        tabletDays = TabletDayService(
            database: database, today: todayReader, accounts: accounts.reader, clock: clock)
        picturePINs = PicturePINService(transactions: transactions, children: childReader, clock: clock)
        parents = ParentService(
            transactions: transactions, parents: parentReader, departure: departure, proofs: accounts.proofs,
            clock: clock)
        removals = RemovalService(
            transactions: transactions, parents: parentReader, notifier: parentNotifier, proofs: accounts.proofs,
            clock: clock)
        invitations = InvitationService(
            transactions: transactions, accounts: accounts.reader, proofs: accounts.proofs, siteURL: siteURL,
            clock: clock, random: random)
        invitationAcceptances = InvitationAcceptanceService(
            transactions: transactions, verifier: verifier, parents: parentReader, departure: departure,
            dissolution: dissolution, notifier: parentNotifier, accounts: accounts.reader, clock: clock)
        let dueEntries = DueEntries(database: database, logger: logger)
        housekeeping = FamilyHousekeeping(
            database: database,
            parentRemovals: DueParentRemovals(database: database, departure: departure, clock: clock, logger: logger),
            childErasures: DueChildErasures(database: database, erasure: erasure, clock: clock, logger: logger),
            reminders: DueReminders(
                database: database, turns: turnRecorder, notifier: childNotifier, entries: dueEntries, clock: clock),
            reviews: DueReviews(
                database: database, turns: turnRecorder, streaks: StreakReader(), notifier: childNotifier,
                entries: dueEntries, clock: clock),
            automaticPoints: DueAutomaticPoints(
                database: database, entries: dueEntries, closer: closer, recorder: recorder, clock: clock,
                random: random),
            clock: clock)
        importHandler = FamilyImportHandler(
            database: database, accounts: accounts.reader, creator: creator, childAccounts: accounts.children,
            ledger: ledger,
            plans: PlanImporter(schedules: scheduleRecorder, renewal: renewal, random: random), clock: clock,
            random: random)
        delegates = FamilyDataHandler.Delegates(
            export: FamilyExport(
                database: database, accounts: accounts.reader, children: childReader, contractReader: contractReader,
                clock: clock),
            erasure: MemberErasure(departure: departure, dissolution: dissolution, clock: clock),
            childSessions: ChildSessions(sessions: accounts.sessions))
        dataHandler.register(delegates)
    }
}
