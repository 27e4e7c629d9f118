import Kernel

/// The result of a check of the fix archive.
package struct ArchiveCheckResult: Sendable, Equatable {
    /// A problem that the check found.
    package struct Finding: Sendable, Equatable, CustomStringConvertible {
        /// The object's key or the table.
        package let subject: String
        package let problem: String

        init(_ subject: String, _ problem: String) {
            self.subject = subject
            self.problem = problem
        }

        /// The subject and the problem in one line.
        package var description: String { "\(subject): \(problem)" }
    }

    /// The first problems, at most `Limits.archiveFindings`.
    package private(set) var findings: [Finding] = []
    /// The number of all problems.
    package private(set) var findingCount = 0
    /// The number of segments whose checksums and content were compared.
    package var segments = 0
    /// The number of fixes in these segments.
    package var fixes = 0
    /// The number of fixes in the database that are not archived yet.
    package var waiting = 0

    package init() {}

    /// Whether nothing is wrong.
    package var isSound: Bool { findingCount == 0 }

    mutating func addFinding(_ subject: String, _ problem: String) {
        findingCount += 1
        if findings.count < Limits.archiveFindings { findings.append(Finding(subject, problem)) }
    }
}

/// The result of a rebuild of the fix index.
package struct ArchiveRebuild: Sendable, Equatable {
    /// The number of segments in the object store that belong to existing items.
    package var segments = 0
    /// The number of fixes that were restored to the database.
    package var restored = 0
    /// The number of segments with lost or damaged objects, to be written again from the database.
    package var rewritten = 0
    /// The objects that couldn't be read or belong to no item.
    package var result = ArchiveCheckResult()

    package init(segments: Int = 0) { self.segments = segments }
}
