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

    /// The public address leads to this server.
    case addressWorks(String)
    /// The public address is only this computer's.
    case addressIsLocal(String)
    case addressFails(String, reason: String)
    /// Requests come through a proxy at this address that isn't named in the settings.
    case proxyNotTrusted(String)
    case databaseWorks(String)
    case databaseFails(String)
    case clockRight
    /// Seconds by which the database's clock is ahead of this computer's.
    case clockWrong(seconds: Int)
    /// Photos and archived positions can be stored.
    case objectsWork
    case objectsFail(String)
    /// Free bytes of the data folder's disk.
    case diskFree(Int64)
    case diskLow(Int64)
    case mailOn
    case mailOff
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
    /// Everyone can create an account.
    case registrationOpen
    case registrationRestricted

    /// The name of the check, for programs.
    package var check: String {
        switch self {
        case .addressWorks, .addressIsLocal, .addressFails: "address"
        case .proxyNotTrusted: "proxy"
        case .databaseWorks, .databaseFails: "database"
        case .clockRight, .clockWrong: "clock"
        case .objectsWork, .objectsFail: "objects"
        case .diskFree, .diskLow: "disk"
        case .mailOn, .mailOff: "mail"
        case .jobsFine, .jobsFailed: "jobs"
        case .backupFresh, .backupOld, .backupMissing, .backupFailed: "backup"
        case .administratorExists, .administratorMissing: "administrator"
        case .registrationOpen, .registrationRestricted: "registration"
        }
    }

    package var level: Level {
        switch self {
        case .addressWorks, .databaseWorks, .clockRight, .objectsWork, .diskFree, .mailOn, .jobsFine,
            .backupFresh, .administratorExists, .registrationRestricted:
            .good
        case .addressIsLocal, .proxyNotTrusted, .mailOff, .backupMissing, .registrationOpen: .note
        case .addressFails, .databaseFails, .clockWrong, .objectsFail, .diskLow, .jobsFailed,
            .backupOld, .backupFailed, .administratorMissing:
            .problem
        }
    }
}
