import ArgumentParser
import Jobs
import Kernel
import Server

struct JobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "Lists dead jobs (background jobs that failed their last attempt or expired) and retries them.",
        subcommands: [List.self, Retry.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the dead jobs of each lane, the newest first.",
            discussion: """
                A dead job is kept for \(Limits.deadJobDays) days. Each line has its ID, lane, kind, subject, number of \
                attempts, time, whether it can be retried, and last error, separated by tabs.
                """
        )

        @OptionGroup var options: SettingOptions

        func run() async throws {
            try await options.withServices { services in
                for queue in services.deadJobs.queues {
                    var last: DeadJob?
                    while true {
                        let page = try await services.deadJobs.list(lane: queue.lane.name, after: last)
                        for job in page { Output.line(Self.line(for: job)) }
                        guard page.count == Limits.deadJobPage else { break }
                        last = page.last
                    }
                }
            }
        }

        private static func line(for job: DeadJob) -> String {
            let columns = [
                job.id.description, job.lane, job.kind, job.subject, "\(job.attempts)", job.diedAt.rfc3339,
                job.isRetryable ? "retryable" : "final", job.lastError ?? "expired",
            ]
            return columns.joined(separator: "\t")
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enqueues dead jobs again. A running server performs them within seconds."
        )

        @Argument(help: "The IDs of the dead jobs, as `homeward jobs list` prints them.")
        var ids: [String]

        @OptionGroup var options: SettingOptions

        func run() async throws {
            let jobs = try ids.map { text in
                guard let id = ID<NewJob>(text) else { throw CommandError("\(text) isn't a job ID.") }
                return id
            }
            var failedCount = 0
            try await options.withServices { services in
                for job in jobs {
                    do {
                        try await services.deadJobs.retry(job)
                        Output.line("Enqueued \(job).")
                    } catch let error as AppError {
                        failedCount += 1
                        let reason = error == .notFound ? "It isn’t a dead job that can be retried." : error.message
                        Output.line("Did not enqueue \(job). \(reason)")
                    }
                }
            }
            guard failedCount == 0 else { throw ExitCode.failure }
        }
    }
}
