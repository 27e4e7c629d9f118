import Configuration
import Foundation
import Kernel
import Testing

@testable import Server

@Suite("Names of settings")
struct SettingNamesTests {
    @Test("A mistyped name in the environment is an error that names the nearest setting")
    func environment() {
        for (typed, nearest) in [
            ("HOMEWARD_DTAA", "HOMEWARD_DATA"), ("HOMEWARD_LISTNE", "HOMEWARD_LISTEN"),
            ("HOMEWARD_TRUSTED_PROXY", "HOMEWARD_TRUSTED_PROXIES"), ("HOMEWARD_SMTP", "HOMEWARD_SMTP_URL"),
            ("HOMEWARD_PORT", nil), ("HOMEWARD_NO_SUCH_THING_AT_ALL", nil),
        ] as [(String, String?)] {
            #expect(throws: UnknownSetting(name: typed, nearest: nearest)) {
                try SettingNames.environment(["PATH": "/bin", typed: "8080"])
            }
        }
    }

    @Test("A setting is near each name that lacks one of its letters")
    func everySetting() {
        for setting in Setting.all {
            let typed = String(setting.name.dropLast())
            guard !Setting.all.contains(where: { $0.name == typed }) else { continue }
            let failure = #expect(throws: UnknownSetting.self, "\(typed)") {
                try SettingNames.environment([typed: "x"])
            }
            #expect(failure?.nearest == setting.name)
            let inFile = #expect(throws: SettingsFile.Failure.self) {
                try SettingNames.file(Array("\n\(typed)=x".utf8))
            }
            #expect(inFile?.line == 2 && inFile?.problem.contains(setting.name) == true)
        }
    }

    @Test("Quotes and line breaks around the values are removed, and an empty value says nothing")
    func values() throws {
        let found = try SettingNames.environment([
            "HOMEWARD_DATA": "\"/srv\"", "HOMEWARD_URL": "https://a.example\r", "AWS_SECRET_ACCESS_KEY": "s\n",
            "HOMEWARD_MAIL": "", "HOMEWARD_REGISTRATION": "\"\"", "TZ": "UTC",
        ])
        #expect(
            found == ["HOMEWARD_DATA": "/srv", "HOMEWARD_URL": "https://a.example", "AWS_SECRET_ACCESS_KEY": "s"])
        #expect(try SettingNames.file(Array("HOMEWARD_DATA=\nTZ=UTC\nHOMEWARD_MAIL=a".utf8)) == ["HOMEWARD_MAIL": "a"])
    }

    @Test(
        "The variables with which Kubernetes names a service “homeward” are no settings",
        arguments: [
            ("HOMEWARD_SERVICE_HOST", "10.0.0.1"), ("HOMEWARD_SERVICE_PORT", "8080"),
            ("HOMEWARD_SERVICE_PORT_HTTP", "8080"), ("HOMEWARD_PORT", "tcp://10.0.0.1:8080"),
            ("HOMEWARD_PORT_8080_TCP", "tcp://10.0.0.1:8080"), ("HOMEWARD_PORT_8080_TCP_PROTO", "tcp"),
            ("HOMEWARD_PORT_8080_TCP_PORT", "8080"), ("HOMEWARD_PORT_8080_TCP_ADDR", "10.0.0.1"),
            ("HOMEWARD_DB_SERVICE_HOST", "10.0.0.2"), ("HOMEWARD_DB_PORT", "tcp://10.0.0.2:5432"),
        ])
    func kubernetes(name: String, value: String) throws { #expect(try SettingNames.environment([name: value]).isEmpty) }

    @Test(
        "A name in a file that looks like a setting is an error, and another program's variable isn't",
        arguments: [
            ("HOMWARD_DATA", true), ("homeward_data", true), ("DATA", true), ("LISTEN", true), ("HOMEWARD_X", true),
            ("HOMEWARDDATA", true), ("TZ", false), ("LANG", false), ("POSTGRES_PASSWORD", false), ("AWS_REGION", false),
            ("HOMEWARD_BACKUP_KEY", false), ("HOMEWARD_TRACKER_SERVER", false), ("PGHOST", false),
        ])
    func file(name: String, isError: Bool) {
        let line = Array("\(name)=/srv".utf8)
        if isError {
            #expect(throws: SettingsFile.Failure.self) { try SettingNames.file(line) }
        } else {
            #expect(throws: Never.self) { try SettingNames.file(line) }
        }
    }

    @Test("The variables of the project's scripts and tests aren't reported as mistyped settings")
    func scripts() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var names: Set<String> = []
        for place in ["Makefile", "scripts", "Benchmarks", "e2e/support", "e2e/packages", "Tests/TestSupport"] {
            let path = root.appending(path: place)
            let files = FileManager.default.enumerator(at: path, includingPropertiesForKeys: nil)?.allObjects ?? []
            for case let file as URL in files + [path] {
                guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                for match in text.matches(of: /(?:environ(?:\.get\(|\[)"|export |\$\{?)(HOMEWARD_[A-Z0-9_]+)/) {
                    names.insert(String(match.output.1))
                }
            }
        }
        #expect(names.contains("HOMEWARD_BINARIES"))
        for name in names { #expect(throws: Never.self) { try SettingNames.environment([name: "x"]) } }
    }

    @Test("A value with a line break, and a data folder with ~, are rejected")
    func controlCharacters() {
        for (name, value) in [
            ("HOMEWARD_URL", "https://a.example\rb"), ("HOMEWARD_DATA", "/srv\n/b"), ("HOMEWARD_DATA", "~/a"),
        ] {
            let failure = #expect(throws: SettingError.self) { try ServerSettingsTests.settings([name: value]) }
            #expect(failure?.setting.name == name)
        }
    }

    @Test("The settings in a backup can be read as a file")
    func backup() throws {
        let values = ["HOMEWARD_DATA": "/srv/a b", "HOMEWARD_TILES_ATTRIBUTION": "\"A\" # it's $1 ${B}"]
        let settings = try ServerSettingsTests.settings(values)
        #expect(try SettingNames.file(Array(settings.text.text.utf8)) == values)
    }
}
