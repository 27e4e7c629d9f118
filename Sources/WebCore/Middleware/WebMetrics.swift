package import Backups
import Foundation
import HTTPTypes
package import Jobs
package import Kernel
package import Storage
import Synchronization

/// Counts requests and errors, for Prometheus' text format 0.0.4. Labels are bounded: route patterns, not paths.
package final class WebMetrics: Sendable {
    private static let bucketBounds: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

    private struct Key: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    fileprivate struct Series {
        var count = 0
        var seconds = 0.0
        var buckets = [Int](repeating: 0, count: WebMetrics.bucketBounds.count)
    }

    private struct State {
        var requests: [Key: Series] = [:]
        var errors: [String: Int] = [:]
        var failedSignIns: [SignInKind: Int] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    func count(method: HTTPRequest.Method, route: String, status: Int, seconds: Double) {
        // Clients can send arbitrary methods, which must not create new series.
        let name = Self.labelledMethods.contains(method) ? method.rawValue : "other"
        let key = Key(route: route, method: name, status: status)
        let bucket = Self.bucketBounds.firstIndex { seconds <= $0 }
        state.withLock { state in
            guard state.requests.count < Limits.metricSeries || state.requests[key] != nil else { return }
            state.requests[key, default: Series()].add(seconds, bucket)
        }
    }

    /// Counts an error of a response that isn't sent by ``RootResponder``.
    package func countError(_ code: AppError.Code) { state.withLock { $0.errors[code.rawValue, default: 0] += 1 } }

    /// Counts a sign-in whose credential was refused.
    package func countFailedSignIn(_ kind: SignInKind) {
        state.withLock { $0.failedSignIns[kind, default: 0] += 1 }
    }

    private static let labelledMethods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    /// All metrics as text.
    /// - Parameter others: the metrics of other modules.
    package func exposition(
        liveListeners: Int, store: DatabaseStatus = DatabaseStatus(), jobs: [JobQueue] = [],
        backups: BackupStatus? = nil, others: [MetricFamily] = [], now: Instant
    ) -> String {
        let (requests, errors, failedSignIns) = state.withLock { ($0.requests, $0.errors, $0.failedSignIns) }
        var text =
            "# HELP homeward_http_requests_total Requests answered.\n# TYPE homeward_http_requests_total counter\n"
        let sorted = requests.sorted { Self.label($0.key) < Self.label($1.key) }
        for (key, series) in sorted { text += "homeward_http_requests_total{\(Self.label(key))} \(series.count)\n" }
        text += "# HELP homeward_http_request_seconds Time to the head of the answer.\n"
        text += "# TYPE homeward_http_request_seconds histogram\n"
        for (key, series) in sorted { text += Self.histogram(Self.label(key), series) }
        text += "# HELP homeward_errors_total Errors answered, by code.\n# TYPE homeward_errors_total counter\n"
        for (code, count) in errors.sorted(by: { $0.key < $1.key }) {
            text += "homeward_errors_total{code=\"\(code)\"} \(count)\n"
        }
        text += "# HELP homeward_live_listeners Open live streams.\n# TYPE homeward_live_listeners gauge\n"
        text += "homeward_live_listeners \(liveListeners)\n"
        text += Self.exposition(of: store)
        text += Self.exposition(of: jobs, now: now)
        if let backups { text += Self.exposition(of: backups, now: now) }
        text += Self.family(of: failedSignIns).text
        text += others.map(\.text).joined()
        if let bytes = Self.residentBytes() {
            text += "# HELP process_resident_memory_bytes Memory in use.\n# TYPE process_resident_memory_bytes gauge\n"
            text += "process_resident_memory_bytes \(bytes)\n"
        }
        return text
    }

    private static func family(of failedSignIns: [SignInKind: Int]) -> MetricFamily {
        var family = MetricFamily(
            "homeward_failed_sign_ins_total", .counter, help: "Sign-ins and unlockings that were refused, by kind.")
        // Also those without a failure: the first increase of a counter would be invisible otherwise.
        for kind in SignInKind.allCases {
            family.add(Double(failedSignIns[kind] ?? 0), labels: [("kind", kind.rawValue)])
        }
        return family
    }

    private static func exposition(of store: DatabaseStatus) -> String {
        """
        # HELP homeward_outbox_held_seconds Seconds that events have waited for an open transaction.
        # TYPE homeward_outbox_held_seconds gauge
        homeward_outbox_held_seconds \(store.heldSeconds)
        # HELP homeward_database_clock_seconds Seconds by which the database's clock is ahead of this computer's.
        # TYPE homeward_database_clock_seconds gauge
        homeward_database_clock_seconds \(Double(store.clockMilliseconds) / 1_000)
        # HELP homeward_outbox_resets_total Failovers of the database after which streams began anew.
        # TYPE homeward_outbox_resets_total counter
        homeward_outbox_resets_total \(store.resets)

        """
    }

    private static func exposition(of backups: BackupStatus, now: Instant) -> String {
        let ok = """
            # HELP homeward_backup_ok 1 if the last backup was read back and checked, else 0.
            # TYPE homeward_backup_ok gauge
            homeward_backup_ok \(backups.isOK ? 1 : 0)

            """
        guard let age = backups.ageSeconds(at: now) else { return ok }
        return ok + """
            # HELP homeward_backup_age_seconds Age of the newest backup that was read back and checked.
            # TYPE homeward_backup_age_seconds gauge
            homeward_backup_age_seconds \(age)

            """
    }

    private static func exposition(of queues: [JobQueue], now: Instant) -> String {
        let lanes = queues.map { (label: "{lane=\"\($0.lane.name)\"}", status: $0.status) }
        let metric = { (name: String, type: String, help: String, value: (JobLaneStatus) -> String) in
            let lines = lanes.map { "homeward_\(name)\($0.label) \(value($0.status))\n" }.joined()
            return "# HELP homeward_\(name) \(help)\n# TYPE homeward_\(name) \(type)\n" + lines
        }
        return [
            metric("jobs", "gauge", "Background jobs that wait or run.") { "\($0.waitingCount)" },
            metric("job_oldest_seconds", "gauge", "Age of the oldest waiting job.") {
                "\($0.oldestQueuedAt.map { max(0, now.seconds(since: $0)) } ?? 0)"
            },
            metric("dead_jobs", "gauge", "Jobs that failed their last attempt or expired.") { "\($0.deadCount)" },
            metric("job_failures_total", "counter", "Failed attempts of this process.") { "\($0.failureCount)" },
        ].joined()
    }

    private static func label(_ key: Key) -> String {
        "route=\"\(key.route)\",method=\"\(key.method)\",status=\"\(key.status)\""
    }

    private static func histogram(_ label: String, _ series: Series) -> String {
        var text = ""
        var sum = 0
        for (bound, count) in zip(bucketBounds, series.buckets) {
            sum += count
            text += "homeward_http_request_seconds_bucket{\(label),le=\"\(bound)\"} \(sum)\n"
        }
        text += "homeward_http_request_seconds_bucket{\(label),le=\"+Inf\"} \(series.count)\n"
        text += "homeward_http_request_seconds_sum{\(label)} \(series.seconds)\n"
        text += "homeward_http_request_seconds_count{\(label)} \(series.count)\n"
        return text
    }

    // Linux only; on other systems the metric is omitted.
    private static func residentBytes() -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let fields = status.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

extension WebMetrics.Series {
    fileprivate mutating func add(_ seconds: Double, _ bucket: Int?) {
        count += 1
        self.seconds += seconds
        if let bucket { buckets[bucket] += 1 }
    }
}
