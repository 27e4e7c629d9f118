/// Examines the server and its settings.
package protocol ServerInspector: Sendable {
    /// Returns one finding for each check, in a fixed order. Takes a few seconds at most.
    func findings() async -> [Finding]
}

/// The result of one check.
package enum Finding: Sendable, Equatable {
    /// How much a finding matters.
    package enum Level: String, Sendable, CaseIterable {
        case good
        /// Something that an administrator may have chosen, but should know.
        case note
        /// Something that doesn't work.
        case problem
    }

    /// The store can't be opened, so that its content wasn't checked.
    case cannotStart(String)
    /// There is no store at this place.
    case storeMissing(String)
    /// The public address leads to this server.
    case addressWorks(String)
    /// The public address is only this computer's.
    case addressIsLocal(String)
    case addressFails(String, reason: String)
    case httpsOn
    /// The address begins with `http`, and isn't only this computer's.
    case httpsMissing
    /// Requests come through a proxy at this address that isn't named in the settings.
    case proxyNotTrusted(String)
    /// Requests to the public address come through a trusted proxy that names the client.
    case proxyTrusted
    /// Requests to the public address come through a proxy that isn't named in the settings.
    case proxyNotNamed
    /// Requests to the public address come through a proxy that doesn't name the client.
    case proxyHidesClients
    case databaseWorks(String)
    case databaseFails(String)
    /// The schema is that of this version.
    case schemaCurrent
    /// A later version changed the schema. The value names its first migration.
    case schemaNewer(String)
    /// A migration of this version is missing or differs.
    case schemaDiffers(String)
    /// The key files are those of the database, and only this account can read them.
    case keysSafe
    /// The key files are missing or belong to another database.
    case keysDiffer([String])
    /// Other accounts of this computer can read the key files.
    case keysReadable([String])
    case clockRight
    /// Seconds by which the database's clock is ahead of this computer's.
    case clockWrong(seconds: Int)
    /// Photos and archived positions can be stored.
    case objectsWork
    case objectsFail(String)
    /// Free bytes of the data folder's disk.
    case diskFree(Int64)
    case diskLow(Int64)
    /// The mail server of this name accepts the connection and the sign-in.
    case mailServerWorks(String)
    /// The program that accepts mails exists.
    case mailCommandExists(String)
    case mailFails(String)
    case mailOff
    /// The push services that the setting and the newest subscriptions name respond.
    case pushWorks
    /// No push service is used yet.
    case pushUntried
    case pushNeedsHTTPS
    /// A push service that browsers use doesn't respond.
    case pushFails(host: String, reason: String)
    case geocoderWorks
    case geocoderFails(String)
    case routerWorks
    case routerFails(String)
    case backupStorageWorks
    case backupStorageFails(String)
    case hologramBucketWorks
    case hologramBucketFails(String)
    /// The process that decodes photos can only compute.
    case picturesIsolated
    /// The process that decodes photos isn't kept from system calls.
    case picturesWithoutSeccomp
    /// The server reads the map from a file of this name.
    case mapFromFile(String)
    /// Browsers request the map from this origin.
    case mapFromService(String)
    /// Maps have no background.
    case mapMissing
    case jobsFine
    /// The number of background jobs that failed for good.
    case jobsFailed(Int)
    /// Hours since the content of the newest proved backup.
    case backupFresh(hours: Int)
    case backupOld(hours: Int)
    /// No backup was proved yet.
    case backupMissing
    /// The newest backup failed.
    case backupFailed(String)
    case administratorExists
    case administratorMissing
    /// Anyone can create an account.
    case registrationOpen
    case registrationRestricted

    /// The name of the check, for programs.
    package var check: String {
        switch self {
        case .addressWorks, .addressIsLocal, .addressFails: "address"
        case .cannotStart, .storeMissing: "start"
        case .httpsOn, .httpsMissing: "https"
        case .proxyTrusted, .proxyNotTrusted, .proxyNotNamed, .proxyHidesClients: "proxy"
        case .schemaCurrent, .schemaNewer, .schemaDiffers: "schema"
        case .keysSafe, .keysDiffer, .keysReadable: "keys"
        case .pushWorks, .pushUntried, .pushNeedsHTTPS, .pushFails: "push"
        case .databaseWorks, .databaseFails: "database"
        case .clockRight, .clockWrong: "clock"
        case .objectsWork, .objectsFail: "objects"
        case .diskFree, .diskLow: "disk"
        case .mailServerWorks, .mailCommandExists, .mailFails, .mailOff: "mail"
        case .geocoderWorks, .geocoderFails: "geocoder"
        case .routerWorks, .routerFails: "router"
        case .backupStorageWorks, .backupStorageFails: "backupStorage"
        case .hologramBucketWorks, .hologramBucketFails: "hologram"
        case .picturesIsolated, .picturesWithoutSeccomp: "pictures"
        case .mapFromFile, .mapFromService, .mapMissing: "map"
        case .jobsFine, .jobsFailed: "jobs"
        case .backupFresh, .backupOld, .backupMissing, .backupFailed: "backup"
        case .administratorExists, .administratorMissing: "administrator"
        case .registrationOpen, .registrationRestricted: "registration"
        }
    }

    package var level: Level {
        switch self {
        case .addressWorks, .httpsOn, .proxyTrusted, .databaseWorks, .schemaCurrent, .keysSafe, .clockRight,
            .objectsWork, .diskFree, .mailServerWorks, .mailCommandExists, .pushWorks, .pushUntried, .jobsFine,
            .backupFresh, .administratorExists, .registrationRestricted, .mapFromFile, .mapFromService, .geocoderWorks,
            .routerWorks, .backupStorageWorks, .hologramBucketWorks, .picturesIsolated:
            .good
        case .addressIsLocal, .mapMissing, .proxyNotTrusted, .mailOff, .pushNeedsHTTPS, .backupMissing,
            .registrationOpen, .picturesWithoutSeccomp:
            .note
        case .cannotStart, .storeMissing, .addressFails, .httpsMissing, .proxyNotNamed, .proxyHidesClients,
            .databaseFails,
            .schemaNewer, .schemaDiffers, .keysDiffer, .keysReadable, .clockWrong, .objectsFail, .diskLow,
            .mailFails, .geocoderFails, .routerFails, .backupStorageFails, .hologramBucketFails, .pushFails,
            .jobsFailed, .backupOld, .backupFailed, .administratorMissing:
            .problem
        }
    }
}
