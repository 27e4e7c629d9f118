import ArgumentParser
import Kernel
import Server
import Tracking

struct FixesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fixes",
        abstract: "The archive of positions in the object store.",
        discussion: "All work beside a running server. docs/fix-archive.md says what the archive looks like.",
        subcommands: [Archive.self, Check.self, Rebuild.self]
    )
}

extension FixesCommand {
    struct Archive: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes to the archive at once what the server gathers for an hour."
        )

        @OptionGroup var options: SettingOptions

        func run() async throws {
            try await options.withServices { services in
                let written = try await services.tracking.archive.writeSegments(early: true)
                Output.line("\(written) positions were archived.")
            }
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Verifies every checksum, and that archive and database say the same.",
            discussion: """
                With --deleted it proves that nothing is left of a deleted thing. Lists what is wrong, and ends with status 1 \
                when there is something.
                """
        )

        @Option(help: "The id of a deleted thing: only what is left of it is looked for.")
        var deleted: String?

        @OptionGroup var options: SettingOptions

        func run() async throws {
            var result = ArchiveCheckResult()
            let item = try deleted.map { text in
                guard let item = ID<Item>(text) else { throw CommandError("\(text) isn't an item ID.") }
                return item
            }
            try await options.withServices { services in
                if let item {
                    result = try await services.tracking.archiveCheck.checkDeleted(item)
                } else {
                    result = try await services.tracking.archiveCheck.check()
                }
            }
            FixesCommand.printResult(result)
            if let item {
                Output.line(result.isSound ? "Nothing is left of \(item)." : "Something is left of \(item).")
            } else {
                Output.line(
                    """
                    \(result.isSound ? "The archive is sound" : "The archive is NOT sound"): \(result.segments) segments \
                    with \(result.fixes) positions; \(result.waiting) positions are not archived yet.
                    """
                )
            }
            guard result.isSound else { throw ExitCode.failure }
        }
    }

    struct Rebuild: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Puts back into the database what only the archive has, and the other way round.",
            discussion: """
                For after a loss: of rows of the database, such as by a restore of an older backup, or of objects. Ends with \
                status 1 when something could not be used.
                """
        )

        @OptionGroup var options: SettingOptions

        func run() async throws {
            var rebuild = ArchiveRebuild()
            try await options.withServices { services in rebuild = try await services.tracking.archiveRebuild.rebuild()
            }
            FixesCommand.printResult(rebuild.result)
            Output.line(
                """
                \(rebuild.segments) segments: \(rebuild.restored) positions were put back into the database, \
                \(rebuild.rewritten) segments are written anew.
                """
            )
            guard rebuild.result.isSound else { throw ExitCode.failure }
        }
    }

    private static func printResult(_ result: ArchiveCheckResult) {
        for finding in result.findings { Output.line(finding.description) }
        if result.findingCount > result.findings.count {
            Output.line("and \(result.findingCount - result.findings.count) more")
        }
    }
}
