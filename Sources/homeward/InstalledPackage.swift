import Configuration
import Foundation
import Server

/// The settings of the Debian package. Every command uses them where the package is installed and nothing names another
/// data folder, so that `homeward backup FILE` finds the server's data.
enum InstalledPackage {
    private static let settings = "/etc/homeward.conf"
    private static let data = "/var/lib/homeward"

    /// The file of settings and the default data folder; `nil` if the package isn't installed, or another folder is
    /// named.
    /// - Parameter namesData: whether a flag names the data folder.
    static func defaults(namesData: Bool) throws -> (file: String, data: String)? {
        let isNamed = namesData || ProcessInfo.processInfo.environment[Setting.data.name]?.isEmpty == false
        guard !isNamed, FileManager.default.fileExists(atPath: settings) else { return nil }
        guard FileManager.default.isReadableFile(atPath: settings) else {
            throw CommandError("\(settings) can't be read. Run this command as root, or name a data folder by --data.")
        }
        return (settings, data)
    }
}
