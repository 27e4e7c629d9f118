import Kernel

/// Puts kept evaluations of a person and item in the order in which they happened. Each process stores its own rows,
/// whose times overlap those of other processes.
struct SeparationTimeline {
    /// An evaluation with the rule's state before the first one of its row.
    struct Element: Sendable {
        let evaluation: SeparationEvaluation
        let stored: SeparationAlertRule.State
    }

    private var waiting: [Element] = []
    /// The state after the last returned evaluation.
    private var mark: SeparationEvaluation.Mark?

    /// Adds a page of rows and returns the evaluations whose order later rows can't change.
    /// - Parameter isLast: Whether there are no later rows.
    mutating func add(_ page: [SeparationHistoryStore.Entry], isLast: Bool) -> [Element] {
        waiting += page.flatMap { entry in
            entry.run.evaluations.map { Element(evaluation: $0, stored: entry.run.state) }
        }
        let numbered = waiting.enumerated().sorted {
            ($0.element.evaluation.seen.now, $0.offset) < ($1.element.evaluation.seen.now, $1.offset)
        }
        waiting = numbered.map(\.element)
        guard !isLast, let next = page.last?.run.startedAt else { return removeFirst(waiting.count) }
        // Rows come in the order of their starts. The clocks of two nodes differ a little.
        let limit = Self.adding(-2 * Limits.evaluationOrderMilliseconds, to: next)
        return removeFirst(waiting.prefix { $0.evaluation.seen.now < limit }.count)
    }

    /// Removes the first evaluations, in an order in which the state before each one is that after the one before,
    /// where their times allow it.
    private mutating func removeFirst(_ count: Int) -> [Element] {
        var ordered = waiting
        for index in 0..<count {
            if let next = Self.successor(from: index, in: ordered, after: mark), next > index {
                ordered.insert(ordered.remove(at: next), at: index)
            }
            mark = ordered[index].evaluation.after
        }
        waiting = Array(ordered.dropFirst(count))
        return Array(ordered.prefix(count))
    }

    /// Returns the first evaluation at about the same time that continues a state.
    private static func successor(
        from index: Int, in elements: [Element], after mark: SeparationEvaluation.Mark?
    ) -> Int? {
        guard let mark else { return nil }
        let end = adding(Limits.evaluationOrderMilliseconds, to: elements[index].evaluation.seen.now)
        var next = index
        while next < elements.count, elements[next].evaluation.seen.now <= end {
            if elements[next].evaluation.before == mark { return next }
            next += 1
        }
        return nil
    }

    private static func adding(_ milliseconds: Int64, to instant: Instant) -> Instant {
        Instant(millisecondsSince1970: instant.millisecondsSince1970 + milliseconds)
    }
}
