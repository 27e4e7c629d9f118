/// Calls `work` at once and then at the given interval, until the task is cancelled.
func repeating(everySeconds seconds: Int, _ work: () async -> Void) async {
    await repeating(everyMilliseconds: seconds * 1_000, work)
}

/// Calls `work` at once and then at the given interval, until the task is cancelled.
func repeating(everyMilliseconds milliseconds: Int, _ work: () async -> Void) async {
    while !Task.isCancelled {
        await work()
        try? await Task.sleep(for: .milliseconds(milliseconds))
    }
}
