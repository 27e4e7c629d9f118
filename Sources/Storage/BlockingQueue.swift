import Foundation

/// A bounded queue from which threads take the elements that tasks push.
final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
    private let limit: Int
    private let condition = NSCondition()
    // Guarded by `condition`.
    private var elements: [Element] = []
    private var head = 0
    private var waiting = 0
    private var isClosed = false

    enum Admission {
        /// `hasIdleConsumer` is whether a waiting consumer can take the element at once.
        case taken(hasIdleConsumer: Bool)
        case full, closed
    }

    init(limit: Int) { self.limit = limit }

    /// The number of elements in the queue.
    var count: Int {
        condition.lock()
        defer { condition.unlock() }
        return elements.count - head
    }

    func push(_ element: Element) -> Admission {
        condition.lock()
        guard !isClosed, elements.count - head < limit else {
            defer { condition.unlock() }
            return isClosed ? .closed : .full
        }
        elements.append(element)
        let isAwaited = waiting > 0
        let hasIdleConsumer = waiting >= elements.count - head
        condition.unlock()
        // After unlocking, because a woken thread would only wait for the lock.
        if isAwaited { condition.signal() }
        return .taken(hasIdleConsumer: hasIdleConsumer)
    }

    /// Waits for elements and replaces the content of `batch` with up to `most` of them.
    /// - Returns: false if the queue is closed and empty.
    func dequeue(most: Int, into batch: inout [Element]) -> Bool {
        batch.removeAll(keepingCapacity: true)
        condition.lock()
        defer { condition.unlock() }
        guard waitForElements() else { return false }
        if head == 0, elements.count <= most {
            // Swapping the two arrays reuses their storage, so that neither is allocated again.
            swap(&elements, &batch)
            return true
        }
        let end = min(head + most, elements.count)
        batch.append(contentsOf: elements[head..<end])
        drop(to: end)
        return true
    }

    /// Waits for one element. Returns `nil` if the queue is closed and empty.
    func dequeue() -> Element? {
        condition.lock()
        defer { condition.unlock() }
        guard waitForElements() else { return nil }
        let element = elements[head]
        drop(to: head + 1)
        return element
    }

    private func waitForElements() -> Bool {
        while elements.count == head {
            guard !isClosed else { return false }
            waiting += 1
            condition.wait()
            waiting -= 1
        }
        return true
    }

    private func drop(to end: Int) {
        head = end
        guard head * 2 > elements.count else { return }
        elements.removeFirst(head)
        head = 0
    }

    /// Rejects new elements. Consumers still get those in the queue.
    func close() {
        condition.lock()
        isClosed = true
        condition.broadcast()
        condition.unlock()
    }
}
