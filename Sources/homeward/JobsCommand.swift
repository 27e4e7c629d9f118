import ArgumentParser
import Jobs
import Kernel
import Server

struct JobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "Lists background jobs that failed for good, and retries them.",
        subcommands: [List.self, Retry.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the failed jobs of each lane, the newest first.",
            discussion: """
                A job is listed for \(Limits.deadJobDays) days. Each line has its id, lane, kind, subject, attempts, the \
                time of its failure, whether it can be retried, and its last error, separated by tabs.
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
            abstract: "Enqueues failed jobs again. A running server performs them within seconds."
        )

        @Argument(help: "The ids of the jobs, as `homeward jobs list` prints them.")
        var ids: [String]

        @OptionGroup var options: SettingOptions

        func run() async throws {
            let jobs = try ids.map { text in
                guard let id = ID<NewJob>(text) else { throw CommandError("\(text) is no job's id") }
                return id
            }
            try await options.withServices { services in
                for job in jobs {
                    do {
                        try await services.deadJobs.retry(job)
                    } catch let error as AppError where error == .notFound {
                        throw CommandError("\(job) isn't a failed job that can be retried")
                    }
                    Output.line("\(job) is enqueued.")
                }
            }
        }
    }
}
