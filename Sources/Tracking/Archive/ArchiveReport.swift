import Kernel

/// What a check of the archive of fixes found.
package struct ArchiveReport: Sendable, Equatable {
    /// Something that isn't as it should be.
    package struct Finding: Sendable, Equatable, CustomStringConvertible {
        /// The object, or the row, that it is about.
        package let subject: String
        /// What is wrong, in words.
        package let problem: String

        init(_ subject: String, _ problem: String) {
            self.subject = subject
            self.problem = problem
        }

        /// Both in one line.
        package var description: String { "\(subject): \(problem)" }
    }

    /// What is wrong; at most `Limits.archiveFindings`.
    package private(set) var findings: [Finding] = []
    /// How many things are wrong.
    package private(set) var findingCount = 0
    /// Segments whose checksums and content were compared.
    package var segments = 0
    /// Fixes in them.
    package var fixes = 0
    /// Fixes in the database that are not archived yet.
    package var waiting = 0

    /// Makes a report that says nothing yet.
    package init() {}

    /// Whether nothing is wrong.
    package var isSound: Bool { findingCount == 0 }

    mutating func note(_ subject: String, _ problem: String) {
        findingCount += 1
        if findings.count < Limits.archiveFindings { findings.append(Finding(subject, problem)) }
    }
}

/// What rebuilding the index of fixes did.
package struct ArchiveRebuild: Sendable, Equatable {
    /// Segments that the bucket holds for things that are there.
    package var segments = 0
    /// Fixes that were put into the database.
    package var restored = 0
    /// Segments whose objects are lost or damaged, and which are written anew from the database.
    package var rewritten = 0
    /// What couldn't be read, or belongs to no thing.
    package var report = ArchiveReport()

    /// Makes one of nothing done yet.
    package init(segments: Int = 0) { self.segments = segments }
}
