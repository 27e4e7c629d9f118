/// The databases that tests have given back, each with the name of its template.
struct IdleDatabases: Sendable {
    private static let maximum = 40

    /// The last one was given back last.
    private var databases: [(name: String, template: String)] = []

    mutating func popLast(of template: String) -> String? {
        databases.lastIndex { $0.template == template }.map { databases.remove(at: $0).name }
    }

    /// - Returns: the one that was idle for the longest time, if they have become too many.
    mutating func add(_ name: String, of template: String) -> String? {
        databases.append((name, template))
        return databases.count > Self.maximum ? databases.removeFirst().name : nil
    }
}
