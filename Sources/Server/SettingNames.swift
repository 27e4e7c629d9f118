import Foundation
package import Kernel

/// A name in the environment or a file that looks like a setting, but isn't one.
package struct UnknownSetting: Error, Equatable, CustomStringConvertible {
    package let name: String
    /// The setting that the name probably stands for.
    package let nearest: String?

    package var description: String {
        let hint = nearest.map { "Did you mean \($0)?" } ?? "homeward serve --help lists all settings."
        return "\(name): there is no such setting. \(hint)"
    }
}

/// The settings in the environment and in a file, as editors, Docker and Kubernetes pass them. A name that looks like a
/// setting and isn't one is an error: without the setting that it stands for, the server could start with an empty
/// store.
package enum SettingNames {
    /// Variables that other parts of the project read: the commands that restore a backup, scripts for the API, and the
    /// project's own scripts and tests.
    package static let others: Set<String> = [
        "HOMEWARD_BACKUP_KEY", "HOMEWARD_TOKEN", "HOMEWARD_APT_KEY", "HOMEWARD_BINARIES", "HOMEWARD_OWN_MOUNTS",
        "HOMEWARD_PACKAGE", "HOMEWARD_WRITE_DOCUMENTS",
    ]
    /// The beginnings of further ones: those of tests, and of `homeward-tracker`.
    private static let otherPrefixes = ["HOMEWARD_TEST_", "HOMEWARD_TRACKER_"]
    private static let prefix = "HOMEWARD_"
    /// Variables of other programs that the server reads, too.
    private static let shared: Set<String> = [
        "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION",
    ]

    /// Returns the variables of the environment that the server reads and that have a value, without quotes and line
    /// breaks around the values.
    /// - Throws: ``UnknownSetting``.
    package static func environment(_ variables: [String: String]) throws(UnknownSetting) -> [String: String] {
        let settings = Set(Setting.all.map(\.name)).union(shared)
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) where !settings.contains(name) {
            guard name.hasPrefix(prefix), !isOther(name), !isOfKubernetes(name, value) else { continue }
            throw UnknownSetting(name: name, nearest: nearest(to: name))
        }
        return variables.filter { settings.contains($0.key) }.mapValues(SettingsFile.withoutQuotes)
            .filter { !$0.value.isEmpty }
    }

    /// Returns the settings of a file that have a value. Variables of other programs, such as `TZ`, are left out.
    /// - Throws: ``SettingsFile/Failure``.
    package static func file(_ bytes: [UInt8]) throws(SettingsFile.Failure) -> [String: String] {
        let settings = Set(Setting.all.map(\.name)).union(shared)
        let file = try SettingsFile(bytes)
        for entry in file.entries where !settings.contains(entry.name) && !isOther(entry.name) {
            let name = entry.name.uppercased()
            let isOurs = name.hasPrefix(prefix) || settings.contains(prefix + name)
            guard isOurs || NearestName.of(name, in: Array(settings), most: mistypedCharacters) != nil else { continue }
            let unknown = UnknownSetting(name: entry.name, nearest: nearest(to: entry.name))
            throw SettingsFile.Failure(line: entry.line, problem: "\(unknown)")
        }
        return file.values.filter { settings.contains($0.key) && !$0.value.isEmpty }
    }

    /// The errors in the name of another program's variable up to which it counts as a mistyped setting.
    private static let mistypedCharacters = 2

    private static func isOther(_ name: String) -> Bool {
        others.contains(name) || otherPrefixes.contains(where: name.hasPrefix)
    }

    /// Kubernetes tells each container the addresses of all services, and one of them may be named `homeward`
    /// (kubernetes.io/docs/concepts/services-networking/service, *Environment variables*).
    private static func isOfKubernetes(_ name: String, _ value: String) -> Bool {
        name.wholeMatch(of: /HOMEWARD_(.+_)?SERVICE_(HOST|PORT(_.+)?)/) != nil
            || name.wholeMatch(of: /HOMEWARD_(.+_)?PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?/) != nil
            || name.hasSuffix("_PORT") && value.contains("://")
    }

    /// The setting that a name stands for, whether or not it has the prefix.
    private static func nearest(to name: String) -> String? {
        let name = name.uppercased()
        let names = Setting.all.map { String($0.name.dropFirst(prefix.count)) }
        guard name.hasPrefix(prefix) else {
            return NearestName.of(name, in: Setting.all.map(\.name), most: mistypedCharacters)
                ?? NearestName.of(name, in: names).map { prefix + $0 }
        }
        return NearestName.of(String(name.dropFirst(prefix.count)), in: names).map { prefix + $0 }
    }
}
