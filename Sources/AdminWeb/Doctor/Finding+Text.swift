import Foundation
package import Kernel

extension Finding {
    /// Returns what was found.
    package func message(_ t: Translator) -> String {
        switch self {
        case .addressWorks(let url): t("{url} leads to this server.", ["url": url])
        case .addressIsLocal(let url): t("{url} is the address of this computer only.", ["url": url])
        case .addressFails(let url, let reason):
            t("{url} doesn’t lead to this server: {reason}", ["url": url, "reason": reason])
        case .cannotStart(let reason): t("The data can’t be opened: {reason}", ["reason": reason])
        case .storeMissing(let place): t("No Homeward data was found at {place}.", ["place": place])
        case .proxyTrusted: t("The reverse proxy is trusted and names the clients.")
        case .proxyNotNamed: t("Requests come through a reverse proxy that isn’t trusted.")
        case .proxyHidesClients: t("The reverse proxy doesn’t name the clients.")
        case .httpsOn: t("The address begins with https.")
        case .httpsMissing: t("The address begins with http: passwords are sent without encryption.")
        case .schemaCurrent: t("The database schema is up to date.")
        case .schemaNewer(let name): t("A newer version of Homeward has changed the database ({name}).", ["name": name])
        case .schemaDiffers(let name): t("The database schema doesn’t match this version ({name}).", ["name": name])
        case .keysSafe: t("The keys belong to this database, and other users of this computer can’t read them.")
        case .keysDiffer(let names):
            t("Keys are missing or belong to another database: {names}", ["names": names.isolated(separator: ", ")])
        case .keysReadable(let names):
            t("Other users of this computer can read keys: {names}", ["names": names.isolated(separator: ", ")])
        case .pushWorks: t("The push services respond.")
        case .pushUntried: t("No push service was checked, because no browser has turned on notifications.")
        case .pushNeedsHTTPS: t("Browsers allow notifications only from an address that begins with https.")
        case .pushFails(let host, let reason):
            t("The push service {host} can’t be reached: {reason}", ["host": host, "reason": reason])
        case .proxyNotTrusted(let address):
            t("{address} forwards other people’s requests but isn’t a trusted proxy.", ["address": address])
        case .databaseWorks(let name): t("{name} works.", ["name": name])
        case .databaseFails(let reason): t("The database can’t be read: {reason}", ["reason": reason])
        case .clockRight: t("This computer’s clock agrees with the database’s.")
        case .clockWrong(let seconds):
            t(
                "This computer’s clock differs from the database’s by {n} second.",
                plural: "This computer’s clock differs from the database’s by {n} seconds.", count: seconds)
        case .objectsWork: t("The storage for photos and archived positions can be reached.")
        case .objectsFail(let reason): t("Photos can’t be stored: {reason}", ["reason": reason])
        case .diskFree(let bytes): t("{size} of the disk is free.", ["size": Self.size(bytes)])
        case .diskLow(let bytes): t("Only {size} of the disk is free.", ["size": Self.size(bytes)])
        case .mailServerWorks(let host):
            t("The mail server {host} accepts connections from this server.", ["host": host])
        case .mailCommandExists(let program):
            t("The mail command {program} exists. A test mail shows whether it delivers.", ["program": program])
        case .mailFails(let reason): t("Mail can’t be sent: {reason}", ["reason": reason])
        case .mailOff: t("Mail isn’t set up.")
        case .geocoderWorks: t("The geocoder responds.")
        case .geocoderFails(let reason): t("The geocoder doesn’t work: {reason}", ["reason": reason])
        case .routerWorks: t("The router responds.")
        case .routerFails(let reason): t("The router doesn’t work: {reason}", ["reason": reason])
        case .backupStorageWorks: t("The backup storage can be reached.")
        case .backupStorageFails(let reason):
            t("The backup storage can’t be reached: {reason}", ["reason": reason])
        case .hologramBucketWorks: t("Hologram’s bucket can be read.")
        case .hologramBucketFails(let reason): t("Hologram’s bucket can’t be read: {reason}", ["reason": reason])
        case .picturesIsolated: t("The process that decodes photos can’t use files, programs or the network.")
        case .picturesWithoutSeccomp:
            t("This computer has no seccomp, so a malicious photo could gain access to files and the network.")
        case .mapFromFile(let name): t("The map is read from {name}.", ["name": name])
        case .mapFromService(let origin): t("Browsers request the map from {url}.", ["url": origin])
        case .mapMissing: t("Maps have no background.")
        case .jobsFine: t("No background job has failed for good.")
        case .jobsFailed(let count):
            t("{n} background job failed for good.", plural: "{n} background jobs failed for good.", count: count)
        case .backupFresh(0): t("The newest verified backup is less than an hour old.")
        case .backupFresh(let hours):
            t(
                "The newest verified backup is {n} hour old.", plural: "The newest verified backup is {n} hours old.",
                count: hours)
        case .backupOld(let hours):
            t("The newest backup is {n} hour old.", plural: "The newest backup is {n} hours old.", count: hours)
        case .backupMissing: t("No backup has been verified yet.")
        case .backupFailed(let reason): t("The newest backup failed: {reason}", ["reason": reason])
        case .administratorExists: t("The server has an administrator.")
        case .administratorMissing: t("The server has no administrator.")
        case .registrationOpen: t("Anyone can create an account.")
        case .registrationRestricted: t("Creating an account requires an invitation.")
        }
    }

    /// Returns what to do; `nil` for a good finding.
    package func advice(_ t: Translator) -> String? {
        switch self {
        case .addressWorks, .httpsOn, .proxyTrusted, .databaseWorks, .schemaCurrent, .keysSafe, .clockRight,
            .objectsWork, .diskFree, .mailServerWorks, .mailCommandExists, .pushWorks, .pushUntried, .jobsFine,
            .backupFresh, .administratorExists, .registrationRestricted, .mapFromFile, .mapFromService, .geocoderWorks,
            .routerWorks, .backupStorageWorks, .hologramBucketWorks, .picturesIsolated:
            nil
        case .cannotStart: t("Fix this first. The other checks depend on it.")
        case .storeMissing:
            t("Check HOMEWARD_DATA and HOMEWARD_DATABASE. A new server creates its data when it starts.")
        case .proxyNotNamed:
            t(
                """
                Add the proxy’s address to HOMEWARD_TRUSTED_PROXIES. Until then, everyone shares the limits of one \
                network.
                """)
        case .proxyHidesClients:
            t(
                """
                Configure the proxy to send X-Forwarded-For. Until then, everyone shares the limits of one network.
                """)
        case .httpsMissing, .pushNeedsHTTPS:
            t("Use a certificate or a reverse proxy, and an https address in HOMEWARD_URL.")
        case .schemaNewer: t("Install the same or a newer version on this computer.")
        case .schemaDiffers:
            t("Restart the server. If this doesn’t help, ask for support with the name of the migration.")
        case .keysDiffer: t("Copy the keys from another node or a backup. “homeward keys list” compares them.")
        case .keysReadable: t("Run “chmod 600” on these files.")
        case .pushFails: t("Allow connections from this server to that host. Notifications wait and are sent later.")
        case .addressIsLocal: t("To reach the server from other devices, set HOMEWARD_URL and https.")
        case .addressFails: t("Check HOMEWARD_URL, the name’s DNS entry, the certificate and the reverse proxy.")
        case .proxyNotTrusted(let address):
            t(
                """
                Only if this is your own proxy, add {address} to HOMEWARD_TRUSTED_PROXIES: everyone shares the limits of \
                one network.
                """,
                ["address": address])
        case .databaseFails: t("Check HOMEWARD_DATABASE and the database’s log.")
        case .clockWrong: t("Run NTP on this computer and on the database’s.")
        case .objectsFail: t("Check HOMEWARD_OBJECTS, its keys and permissions.")
        case .diskLow: t("Free some space or extend the disk. When it is full, nothing can be saved.")
        case .mailFails: t("Check HOMEWARD_SMTP_URL or HOMEWARD_MAIL. Mails wait and are sent later.")
        case .geocoderFails: t("Check HOMEWARD_GEOCODER_URL. Until then, positions have no addresses.")
        case .routerFails: t("Check HOMEWARD_ROUTER_URL. Until then, detours are straight lines.")
        case .backupStorageFails: t("Check HOMEWARD_BACKUPS, its keys and permissions.")
        case .hologramBucketFails: t("Check HOMEWARD_HOLOGRAM_BUCKET, its keys and permissions.")
        case .picturesWithoutSeccomp:
            t("Use a kernel with seccomp. Until then, only memory, time and open files of this process are limited.")
        case .mailOff: t("Set it up, so that people can reset a forgotten password and get security notifications.")
        case .mapMissing: t("Set HOMEWARD_MAP_FILE or HOMEWARD_TILES_URL.")
        case .jobsFailed: t("See what failed under “Background jobs”, correct the cause, and try the jobs again.")
        case .backupOld, .backupFailed: t("See why under “Backups”, and run “homeward backup” again.")
        case .backupMissing: t("Set HOMEWARD_BACKUPS, and keep the backup key somewhere other than on this server.")
        case .administratorMissing:
            t("Run “homeward setup-code” and open /setup.")
        case .registrationOpen: t("If only people you know use this server, require an invitation.")
        }
    }

    private static func size(_ bytes: Int64) -> String {
        let gibibyte = 1_073_741_824.0
        let amount = Double(bytes) / gibibyte
        return amount < 10 ? String(format: "%.1f GiB", amount) : "\(Int(amount)) GiB"
    }
}
