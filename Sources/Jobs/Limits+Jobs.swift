package import Kernel

extension Limits {
    /// Characters of a job's subject and of its last error.
    package static let jobText = 200
    /// Expired jobs that become dead jobs in one transaction of a worker.
    package static let expiredJobsPerLease = 100
    /// Seconds after which a worker looks for jobs that nothing announced: those of other processes without an event.
    package static let jobPollSeconds: Int64 = 5
    /// Milliseconds between two reads of the queue, while a worker performs fewer jobs than its lane allows.
    package static let idleCapacityPollMilliseconds = 250
    /// Seconds between two counts of a lane's jobs.
    package static let jobStatusSeconds: Int64 = 5
    /// Jobs that one statement enqueues.
    static let jobsPerStatement = 50
    /// Days that a dead job is kept.
    package static let deadJobDays: Int64 = 30
    /// Dead jobs kept per lane. The oldest are deleted first.
    package static let deadJobsPerLane = 10_000
    /// Dead jobs on one page of a list.
    package static let deadJobPage = 100
    /// Dead jobs that one transaction deletes.
    package static let deadJobsPerStep = 500
}
