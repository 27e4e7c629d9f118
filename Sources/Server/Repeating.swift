/// Calls `work` at once and then at the given interval, until the task is cancelled.
func repeating(everySeconds seconds: Int, _ work: () async -> Void) async {
    while !Task.isCancelled {
        await work()
        try? await Task.sleep(for: .seconds(seconds))
    }
}
