import Foundation
import Testing

@Suite("Rules of the sources")
struct SourceRules {
    /// The modules from the lowest: a module imports only those before it, and no app imports another app.
    private static let modules = [
        "Kernel", "Recurrence", "TrackerProtocol", "TrackerCore", "BlueZ", "Storage", "Jobs", "Objects", "Backups",
        "Hologram", "MapFiles", "Quotas", "Pictures", "Accounts", "Notifications",
        "Ledger", "Carrepsa", "Family", "Tracking", "WebCore", "AccountsWeb", "AdminWeb", "CarrepsaWeb", "FamilyWeb",
        "TrackingWeb",
        "Server", "homeward",
        "homeward-tracker",
    ]
    private static let apps: Set<String> = [
        "Carrepsa", "CarrepsaWeb", "Family", "FamilyWeb", "Tracking", "TrackingWeb", "AccountsWeb",
    ]

    @Test("The sources are found")
    func treeIsFound() {
        #expect(SourceTree.sources.count > 50)
        #expect(SourceTree.templates.count > 5)
    }

    @Test("A module imports only lower modules")
    func importsPointDown() {
        let rank = Dictionary(uniqueKeysWithValues: Self.modules.enumerated().map { ($0.element, $0.offset) })
        let imports = Pattern(#"^[ \t]*(?:package |public |internal )?import (?:struct |class |enum |func )?\w+"#)
        let broken = SourceTree.code.flatMap { file -> [String] in
            guard let own = rank[file.module] else { return [] }
            return imports.ranges(in: file.text).compactMap { range in
                let imported = file.text[range].split(separator: " ").last.map(String.init)
                guard let other = imported.flatMap({ rank[$0] }), other >= own else { return nil }
                return file.place(range)
            }
        }
        #expect(broken.isEmpty)
    }

    struct Rule: CustomTestStringConvertible, Sendable {
        let pattern: String
        let why: String
        var except: Set<String> = []
        var testDescription: String { "\(pattern): \(why)" }
    }

    static let rules: [Rule] = [
        Rule(pattern: #"\bimport GRDB\b"#, why: "only the SQLite driver uses it", except: ["Sources/Storage/SQLite"]),
        Rule(
            pattern: #"\bimport CPostgres\b"#, why: "only the PostgreSQL driver uses it", except: ["Sources/Storage"]),
        Rule(pattern: #"\bprint\("#, why: "services log; only commands print", except: ["Sources/homeward"]),
        Rule(
            pattern: #"\bDate\(\)|\bDate\.now\b|\bUUID\(\)"#, why: "time and randomness are injected",
            except: ["Sources/Kernel/Instant+Foundation.swift"]),
        Rule(
            pattern: #"\bSystemRandomNumberGenerator\b|\.random\(in:(?!.*\busing: )"#, why: "randomness is injected",
            except: ["Sources/Kernel/RandomSource.swift"]),
        Rule(pattern: #"\btry!|\bas!|\bfatalError\(|\bpreconditionFailure\("#, why: "errors are thrown"),
        Rule(
            pattern: #"\bTask\.sleep\b"#, why: "only these loops and time-outs sleep",
            except: [
                "Sources/Accounts/Mail/SendmailMailer.swift", "Sources/Ledger/Seal/LedgerHeadFile.swift",
                "Sources/Jobs/JobWorker.swift", "Sources/MapServices/MapServiceRequest.swift",
                "Sources/Objects/S3/S3BackOff.swift",
                "Sources/Pictures/Worker/PictureWorker.swift",
                "Sources/Server/DatabaseWaiter.swift", "Sources/Server/Doctor/ConnectionChecks.swift",
                "Sources/Server/MaintenanceService.swift",
                "Sources/Server/LiveLinkStreaming.swift",
                "Sources/Server/DrainingService.swift", "Sources/Server/Repeating.swift",
                "Sources/Storage/Database+WorkWhenDue.swift", "Sources/TestSupport/StubServer.swift",
                "Sources/WebCore/Live/LiveHub.swift",
                "Sources/homeward-tracker/RunnerTasks.swift", "Sources/homeward-tracker/Commands/SelfTestCommand.swift",
                "Sources/homeward-tracker/Hardware/Button.swift",
                "Sources/homeward-tracker/Hardware/GPSDReceiver.swift",
                "Sources/homeward-tracker/Hardware/Sounder.swift",
                "Sources/homeward-tracker/Uplinks/BluetoothUplink.swift",
            ]),
        Rule(
            pattern: #"\brequest\.body\.\w|in request\.body\b"#, why: "bodies are read where their text is validated",
            except: [
                "Sources/WebCore/Fields/Body.swift", "Sources/WebCore/Fields/Fields.swift",
                "Sources/WebCore/Live/LiveRoute.swift", "Sources/Objects/S3/S3Transport.swift", "Sources/TestSupport",
                "Sources/homeward/Demo",
            ]),
        Rule(
            pattern: #"\bTemplateRendering\b"#, why: "only the renderer escapes",
            except: ["Sources/WebCore/Pages/Renderer.swift", "Sources/WebCore/Pages/Templates"]),
        Rule(pattern: #"^[ \t]*public "#, why: "modules share declarations by `package`"),
        Rule(pattern: #"nonisolated\(unsafe\)"#, why: "shared state has a lock"),
    ]

    @Test("The code doesn't use a forbidden pattern", arguments: rules)
    func forbiddenWords(rule: Rule) {
        let files = SourceTree.code.filter { file in !rule.except.contains { file.path.hasPrefix($0) } }
        #expect(files.places(matching: Pattern(rule.pattern)).isEmpty)
    }

    @Test("Templates draw icons with the icon tag")
    func iconsHaveTags() {
        let reference = Pattern(#"<use\b|icons\.svg"#)
        #expect(SourceTree.templates.places(matching: reference).isEmpty, "{{icon \"check\"}}")
    }

    /// Names that people enter would become markup.
    @Test("Scripts add elements and text, never HTML")
    func scriptsAddNoHTML() {
        let scripts = SourceTree.files(below: "Sources", ending: "js")
        #expect(scripts.count > 20)
        let html = Pattern(
            #"\.(?:innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|setHTMLUnsafe)\b|document\.write\b"#
                + #"|\.addAttribution\(|\.(?:bind|set)(?:Popup|Tooltip)(?:Content)?\((?!spanOf\()|\bhtml: *["'`]"#)
        #expect(scripts.places(matching: html).isEmpty)
    }

    @Test("No file has a to-do mark")
    func nothingIsLeftForLater() {
        let marks = Pattern(#"\b(?:TODO|FIXME|XXX|HACK)\b"#)
        #expect((SourceTree.sources + SourceTree.templates).places(matching: marks).isEmpty)
    }

    /// Members and initializers need a comment only where the name doesn't say it all.
    @Test("Types and functions that other modules use have a doc comment")
    func packageDeclarationsAreDocumented() {
        let undocumented = Pattern(
            #"^(?![ \t]*(?:///|@)).*\n(?:[ \t]*@.*\n)*[ \t]*package (?:static |final |mutating |nonisolated |indirect )*"#
                + #"(?:func|struct|class|enum|actor|protocol)\b"#)
        #expect(SourceTree.sources.places(matching: undocumented).isEmpty)
    }

    @Test("Files have at most 400 lines")
    func filesStayShort() {
        let longest = 400
        let broken = SourceTree.sources.filter { $0.lines.count > longest }.map {
            "\($0.path): \($0.lines.count) lines"
        }
        #expect(broken.isEmpty)
    }

    /// The formatter leaves comments as they are.
    @Test("Comments have at most 120 columns")
    func commentsAreNarrow() {
        let widest = 120
        let tests = SourceTree.files(below: "Tests", ending: "swift")
        let wide = Pattern(#"^(?=.{\#(widest + 1)})[ \t]*//.*"#)
        let broken = (SourceTree.sources + tests).flatMap { file in
            wide.ranges(in: file.text).filter { file.text[$0].count > widest }.map(file.place)
        }
        #expect(broken.isEmpty)
    }

    @Test("Template names are unique over all modules")
    func templateNamesAreUnique() {
        let names = SourceTree.templates.map { ($0.path as NSString).lastPathComponent }
        let twice = Dictionary(grouping: names, by: { $0 }).filter { $0.value.count > 1 }.keys
        #expect(twice.isEmpty)
    }

    @Test("Templates contain no inline script, style or handler")
    func templatesAreInert() {
        let inline = Pattern(#"<script(?![^>]*\bsrc=)|<style\b|\sstyle="|\son[a-z]+=""#)
        #expect(SourceTree.templates.places(matching: inline).isEmpty)
    }

    @Test("Only tokens.css contains colours")
    func onlyTokensHoldColours() {
        let colour = Pattern(#"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\("#)
        let sheets = SourceTree.everything.filter { $0.path.hasSuffix(".css") && !$0.path.hasSuffix("tokens.css") }
        #expect(!sheets.isEmpty)
        #expect(sheets.places(matching: colour).isEmpty)
    }

    @Test("The compiler knows the manifest's upcoming features")
    func upcomingFeaturesExist() throws {
        let manifest = try SourceTree.text("Package.swift")
        let named = manifest.matches(of: #/enableUpcomingFeature\("(\w+)"\)/#).map { String($0.output.1) }
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-print-supported-features"]
        let output = Pipe()
        compiler.standardOutput = output
        try compiler.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        #expect(!named.isEmpty)
        #expect(named.filter { !text.contains("\"\($0)\"") }.isEmpty)
    }

    @Test("No file names a path of the machine it was written on")
    func nothingNamesAMachine() {
        let machine = Pattern(#"(?<![A-Za-z0-9_.-])/(?:work|opt/swift|root)/"#)
        let files = SourceTree.everything.filter { !$0.path.hasPrefix("Tests/TidyTests") }
        #expect(files.places(matching: machine).isEmpty)
    }
}
