import Foundation

/// A bounded queue between tasks and threads.
final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
    private let limit: Int
    private let condition = NSCondition()
    // Guarded by `condition`.
    private var elements: [Element] = []
    private var head = 0
    private var waiting = 0
    private var isClosed = false

    enum Admission {
        /// `hasIdleConsumer` is whether somebody is free to take it at once.
        case taken(hasIdleConsumer: Bool)
        case full, closed
    }

    init(limit: Int) { self.limit = limit }

    /// How many elements wait.
    var count: Int {
        condition.lock()
        defer { condition.unlock() }
        return elements.count - head
    }

    func push(_ element: Element) -> Admission {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { return .closed }
        guard elements.count - head < limit else { return .full }
        elements.append(element)
        if waiting > 0 { condition.signal() }
        return .taken(hasIdleConsumer: waiting >= elements.count - head)
    }

    /// Waits for elements and takes up to `most` of them; `nil` when the queue is closed and empty.
    func take(most: Int) -> ArraySlice<Element>? {
        condition.lock()
        defer { condition.unlock() }
        while elements.count == head {
            guard !isClosed else { return nil }
            waiting += 1
            condition.wait()
            waiting -= 1
        }
        if head == 0, elements.count <= most {
            defer { elements = [] }
            return elements[...]
        }
        let end = min(head + most, elements.count)
        let taken = elements[head..<end]
        head = end
        if head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return taken
    }

    /// Waits for one element.
    func take() -> Element? { take(most: 1)?.first }

    /// Takes no more; what is in the queue is still handed out.
    func close() {
        condition.lock()
        isClosed = true
        condition.broadcast()
        condition.unlock()
    }
}
