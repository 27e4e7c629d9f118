import Kernel

/// The ids of a booking and its assignments, made before the transaction.
struct AssignmentBatchIDs: Sendable {
    let id: ID<AssignmentBatch>
    /// In ascending order, so that the assignments keep the order of the request.
    let assignments: [ID<Assignment>]

    init(count: Int, now: Instant, random: any RandomSource) {
        id = ID(at: now, random: random)
        assignments = (0..<count).map { _ in ID<Assignment>(at: now, random: random) }.sorted()
    }

    private init(id: ID<AssignmentBatch>, assignments: [ID<Assignment>]) {
        self.id = id
        self.assignments = assignments
    }

    /// Returns the same booking with some of its assignments: those of one child.
    subscript(range: Range<Int>) -> AssignmentBatchIDs {
        AssignmentBatchIDs(id: id, assignments: Array(assignments[range]))
    }
}
