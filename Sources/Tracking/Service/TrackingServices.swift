package import Accounts
package import Jobs
package import Kernel
package import Logging
package import MapServices
package import Objects
package import Pictures
package import Quotas
package import Storage

/// The services of Tracking, one for each resource. Every use case takes an `Actor` or a device's credentials; another
/// account's data counts as not found.
package struct TrackingServices: Sendable {
    package let items: ItemService
    package let itemDetails: ItemDetailsService
    package let itemDeletions: ItemDeletionService
    package let itemPictures: ItemPictureService
    package let itemMembers: ItemMemberService
    package let itemInvitations: ItemInvitationService
    package let itemDefaults: ItemDefaultsService
    package let histories: HistoryService
    package let navigation: NavigationService
    package let phonePositions: PhonePositionService
    package let parking: ParkingService
    package let geofences: GeofenceService
    package let itemAlerts: ItemAlertService
    package let replays: ReplayService
    package let separationReplays: SeparationReplayService
    /// Stores what replays of separations need; the server calls it now and then.
    package let separationHistories: SeparationHistoryService
    package let claimCodePairings: ClaimCodePairingService
    package let bluetoothPairings: BluetoothPairingService
    package let unpairings: UnpairingService
    package let registrations: TrackerRegistrationService
    package let commands: CommandService
    package let sources: SourceService
    package let quarantine: QuarantineService
    package let safePlaces: SafePlaceService
    package let alerts: AlertService
    package let finders: FinderService
    package let lostModes: LostModeService
    package let itemLabels: ItemLabelService
    package let finderReports: FinderReportService
    package let foundItems: FoundItemService
    package let liveLinks: LiveLinkService
    package let liveLinkViews: LiveLinkViewService
    /// The open pages of live links; the server polls it.
    package let liveLinkHub: LiveLinkHub
    package let positionShares: PositionShareService
    package let people: PeopleService
    package let personRules: PersonRuleService
    package let positionShareEnder: PositionShareEnder
    /// Ends the sharing whose time is over; the server runs it while pages are open.
    package let positionShareExpiry: PositionShareExpiryService
    package let trackers: TrackerService
    package let firstContacts: FirstContactService
    package let trackerMessages: TrackerMessageService
    package let ownTracks: OwnTracksIngestService
    package let osmAnd: OsmAndIngestService
    package let traccar: TraccarIngestService
    package let hologramWebhook: HologramWebhookService
    package let hologramFeeds: HologramFeedReader
    package let polls: TrackerPoller
    package let commandDeliveries: CommandDeliveryService
    package let archive: ArchiveService
    package let archiveCheck: ArchiveCheckService
    package let archiveRebuild: ArchiveRebuildService
    package let addresses: AddressService
    package let episodes: EpisodeUpdater
    package let days: DayService
    package let housekeeping: TrackingHousekeeping
    package let dataHandler: any AccountDataHandler
    package let importHandler: any AccountImportHandler
    /// Whether a cloud is configured.
    package let hasHologram: Bool
    /// The queues of all lanes of this module.
    package var jobQueues: [JobQueue] { [commandDeliveries.queue] + (hasHologram ? [hologramFeeds.queue] : []) }

    private let database: Database
    let ingestRate: IngestRate
    let itemEraser: ItemEraser
    let historySweeper: HistorySweeper
    let finderKeys: FinderKeys
    let hologramMessages: HologramMessageService

    /// Creates the services.
    /// - Parameters:
    ///   - objects: The store for archived fixes; the picture library must use the same one, because it removes the
    ///     garbage.
    ///   - secrets: Encrypts passphrases and trackers' keys for the database.
    ///   - quotas: The maximum number of stored positions of each account.
    ///   - households: Reads with whom an item can be shared without an invitation.
    ///   - positionSharing: Stores whether people share their position; the same that the accounts have.
    ///   - siteURL: The server's address, for links.
    ///   - geocoder: Finds the addresses of positions; `nil` for none.
    ///   - hologram: The cloud that reaches trackers in addition to the internet.
    package init(
        database: Database, pictures: PictureLibrary, objects: any ObjectStore, secrets: SecretBox,
        clock: any WallClock, random: any RandomSource, quotas: AccountQuotas = AccountQuotas(),
        households: any HouseholdPeopleReader, positionSharing: PositionSharingState = PositionSharingState(),
        siteURL: String,
        hologram: HologramConfiguration = HologramConfiguration(), geocoder: (any Geocoder)? = nil, logger: Logger
    ) {
        self.database = database
        let addresses = AddressService(database: database, geocoder: geocoder, clock: clock, logger: logger)
        self.addresses = addresses
        let credentials = CredentialCache()
        let ingestRate = IngestRate()
        let history = HistoryLimiter(database: database, quotas: quotas, clock: clock)
        let databaseClock = DatabaseClock(database: database, clock: clock)
        let alertRecorder = ItemAlertRecorder()
        let separationHistory = SeparationHistory()
        let separations = SeparationAlertService(alerts: alertRecorder, history: separationHistory)
        let separationHistories = SeparationHistoryService(
            database: database, history: separationHistory, clock: clock, random: random)
        self.separationHistories = separationHistories
        let health = HealthAlertService(alerts: alertRecorder)
        let geofenceAlerts = GeofenceAlertService(alerts: alertRecorder)
        let overviews = ItemOverviewReader()
        let polls = PollScheduler()
        let switches = SwitchRecorder()
        let binder = TrackerBinder()
        let sourceRemover = SourceRemover(credentials: credentials)
        let memberships = ItemMembershipEnder()
        let people = PersonFollower(households: households)
        let positionShareEnder = PositionShareEnder(state: positionSharing)
        self.positionShareEnder = positionShareEnder
        let positionShareExpiry = PositionShareExpiryService(
            database: database, ender: positionShareEnder, clock: clock)
        self.positionShareExpiry = positionShareExpiry
        let itemEraser = ItemEraser(
            binder: binder, sources: sourceRemover, memberships: memberships, positions: positionShareEnder)
        let historySweeper = HistorySweeper(database: database)
        let pictureCleanup = PictureCleanup(library: pictures, logger: logger)
        let finderKeys = FinderKeys(secrets: secrets)
        let channels = TrackerChannels(secrets: secrets)
        self.ingestRate = ingestRate
        self.itemEraser = itemEraser
        self.historySweeper = historySweeper
        self.finderKeys = finderKeys

        // People: items, trackers, sources and alerts
        let alerts = AlertService(database: database, clock: clock)
        self.alerts = alerts
        items = ItemService(
            database: database, overviews: overviews, polls: polls, addresses: addresses, alerts: alerts,
            clock: clock, random: random)
        itemDetails = ItemDetailsService(
            database: database, overviews: overviews, alerts: alerts, addresses: addresses, clock: clock)
        itemDeletions = ItemDeletionService(
            database: database, eraser: itemEraser, pictures: pictureCleanup, clock: clock, random: random)
        itemPictures = ItemPictureService(database: database, cleanup: pictureCleanup)
        itemMembers = ItemMemberService(
            database: database, households: households, ender: memberships, clock: clock)
        itemInvitations = ItemInvitationService(
            database: database, members: itemMembers, siteURL: siteURL, clock: clock, random: random)
        itemDefaults = ItemDefaultsService(database: database, overviews: overviews, clock: clock)
        histories = HistoryService(database: database, addresses: addresses)
        parking = ParkingService(database: database, clock: clock)
        itemAlerts = ItemAlertService(database: database, addresses: addresses)
        let separationReplays = SeparationReplayService(
            database: database, histories: separationHistories, clock: clock)
        self.separationReplays = separationReplays
        replays = ReplayService(
            database: database, households: households, separations: separationReplays, clock: clock)
        geofences = GeofenceService(database: database, households: households, clock: clock, random: random)
        phonePositions = PhonePositionService(
            database: database, separations: separations, people: people, clock: clock)
        positionShares = PositionShareService(
            database: database, households: households, ender: positionShareEnder, positions: phonePositions,
            clock: clock)
        self.people = PeopleService(database: database, households: households, clock: clock)
        personRules = PersonRuleService(database: database, households: households, clock: clock, random: random)
        claimCodePairings = ClaimCodePairingService(
            database: database, items: items, binder: binder, clock: clock, random: random)
        bluetoothPairings = BluetoothPairingService(
            database: database, items: items, binder: binder, channels: channels, clock: clock, random: random)
        unpairings = UnpairingService(
            database: database, binder: binder, sources: sourceRemover, clock: clock, random: random)
        firstContacts = FirstContactService(
            database: database, secrets: secrets, finderKeys: finderKeys, clock: clock, random: random, logger: logger)
        registrations = TrackerRegistrationService(
            database: database, firstContacts: firstContacts, binder: binder, channels: channels, secrets: secrets,
            clock: clock)
        commands = CommandService(database: database, switches: switches, clock: clock, random: random)
        sources = SourceService(
            database: database, binder: binder, remover: sourceRemover, credentials: credentials, secrets: secrets,
            clock: clock, random: random)
        quarantine = QuarantineService(database: database, clock: clock)
        safePlaces = SafePlaceService(database: database, clock: clock, random: random)
        finders = FinderService(database: database, secrets: secrets, keys: finderKeys, clock: clock)
        lostModes = LostModeService(database: database, clock: clock)
        itemLabels = ItemLabelService(database: database, secrets: secrets, clock: clock, random: random)
        let finderReports = FinderReportService(database: database, addresses: addresses, clock: clock)
        self.finderReports = finderReports
        navigation = NavigationService(items: items, finderReports: finderReports)
        foundItems = FoundItemService(
            database: database, finders: finders, secrets: secrets, clock: clock, random: random)
        liveLinks = LiveLinkService(database: database, secrets: secrets, clock: clock, random: random)
        let liveLinkHub = LiveLinkHub(database: database, clock: clock, random: random, logger: logger)
        self.liveLinkHub = liveLinkHub
        liveLinkViews = LiveLinkViewService(database: database, hub: liveLinkHub, clock: clock)
        trackers = TrackerService(database: database)

        // Trackers: messages over the internet
        let acknowledgements = AcknowledgementRecorder(logger: logger)
        let trackerFixes = TrackerFixWriter(
            separations: separations, health: health, geofences: geofenceAlerts, people: people,
            databaseClock: databaseClock, random: random)
        trackerMessages = TrackerMessageService(
            database: database, secrets: secrets,
            uplinks: UplinkService(
                acknowledgements: acknowledgements, fixes: trackerFixes, history: history, polls: polls,
                switches: switches, logger: logger),
            acknowledgements: acknowledgements, handover: TrackerCommandHandover(), history: history,
            ingestRate: ingestRate, clock: clock)

        // Apps: OwnTracks, OsmAnd and Traccar Client
        let authenticator = SourceAuthenticator(database: database, credentials: credentials, secrets: secrets)
        let handover = SourceCommandHandover()
        let writer = SourceMessageWriter(
            fixes: SourceFixWriter(
                credentials: credentials, handover: handover, separations: separations, health: health,
                geofences: geofenceAlerts, people: people, random: random),
            history: history, databaseClock: databaseClock, clock: clock)
        let messages = SourceMessageStorage(database: database, sources: authenticator, writer: writer)
        ownTracks = OwnTracksIngestService(
            database: database, sources: authenticator, writer: writer, handover: handover, ingestRate: ingestRate,
            clock: clock)
        osmAnd = OsmAndIngestService(
            database: database, sources: authenticator, messages: messages, ingestRate: ingestRate, clock: clock)
        traccar = TraccarIngestService(
            sources: authenticator, messages: messages, ingestRate: ingestRate, clock: clock)

        // Hologram's cloud
        let hologramMessages = HologramMessageService(
            secrets: secrets, ingestRate: ingestRate, history: history, acknowledgements: acknowledgements,
            fixes: trackerFixes, polls: polls, switches: switches, random: random)
        self.hologramMessages = hologramMessages
        hasHologram = hologram.client != nil || hologram.bucket != nil
        hologramWebhook = HologramWebhookService(
            webhookSecrets: hologram.webhookSecrets, database: database, messages: hologramMessages, history: history,
            ingestRate: ingestRate, clock: clock)
        hologramFeeds = HologramFeedReader(
            queue: JobQueue(lane: HologramJobs.readings, random: random, logger: logger),
            bucket: hologram.bucket.map {
                HologramBucketReader(bucket: $0, database: database, messages: hologramMessages, logger: logger)
            },
            records: hologram.client.map {
                HologramRecordReader(client: $0, database: database, messages: hologramMessages)
            },
            database: database, clock: clock, random: random)
        self.polls = TrackerPoller(
            database: database, isEnabled: hologram.client != nil, clock: clock, random: random)
        commandDeliveries = CommandDeliveryService(
            queue: JobQueue(lane: HologramJobs.commands, random: random, logger: logger), client: hologram.client,
            database: database, secrets: secrets, clock: clock, random: random)

        // The server: archive, housekeeping and accounts
        archive = ArchiveService(database: database, objects: objects, clock: clock, random: random, logger: logger)
        archiveCheck = ArchiveCheckService(database: database, objects: objects)
        archiveRebuild = ArchiveRebuildService(database: database, objects: objects, archive: archive, clock: clock)
        episodes = EpisodeUpdater(database: database)
        days = DayService(database: database, addresses: addresses)
        housekeeping = TrackingHousekeeping(
            database: database,
            switches: SwitchExpiryService(database: database, polls: polls, switches: switches),
            histories: historySweeper, fixes: FixExpiryService(database: database, clock: clock),
            silences: SilenceAlertService(database: database, alerts: alertRecorder),
            deadlines: GeofenceDeadlineService(database: database, alerts: alertRecorder),
            personDeadlines: PersonDeadlineService(database: database, households: households),
            positionShares: positionShareExpiry,
            positionShareChecks: PositionShareCheckService(
                database: database, households: households, ender: positionShareEnder),
            separations: SeparationHistoryLimiter(database: database), clock: clock)
        importHandler = TrackingImportHandler(database: database, history: history, clock: clock, random: random)
        dataHandler = TrackingDataHandler(
            database: database, eraser: itemEraser, memberships: memberships, positions: positionShareEnder,
            histories: historySweeper, credentials: credentials, separations: separationHistories, clock: clock,
            random: random)
    }

    /// Counts an account's stored positions by the counters of its items.
    package func fixCount(of person: PersonID, in tx: Transaction) throws -> Int {
        try FixStore.total(of: person, in: tx)
    }

    /// Returns the administration of all trackers.
    package func administration(_ acts: AdministratorActs) -> TrackerAdministrationService {
        TrackerAdministrationService(database: database, acts: acts)
    }
}
