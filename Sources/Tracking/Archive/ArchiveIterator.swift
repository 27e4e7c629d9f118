import Kernel
import Objects
import Storage

/// Iterates over the archive in the object store and its index in the database together, in key order and page by page,
/// so that neither has to fit into memory.
struct ArchiveIterator {
    /// The object and the index entry of one key.
    struct Step {
        let key: String
        /// Whether the object store listed the key.
        let isThere: Bool
        let entry: SegmentStore.Entry?
    }

    private let objects: any ObjectStore
    private let database: Database
    private var after: String?
    private var isDone = false

    init(_ objects: any ObjectStore, _ database: Database) {
        self.objects = objects
        self.database = database
    }

    /// Returns the next page; `nil` after the last.
    mutating func next() async throws -> [Step]? {
        guard !isDone else { return nil }
        let limit = Limits.objectPage
        let after = after
        // The order matters: a segment archived between the two reads is in the index but not in the list, and the
        // caller checks it again.
        var keys = try await objects.keys(below: SegmentKey.root, after: after, limit: limit)
        var entries = try await database.read { tx in
            try SegmentStore.page(after: after ?? "", limit: limit, in: tx)
        }
        // When one of the two has more, the other is used only up to the same key.
        let ends = [
            keys.count == limit ? keys.last : nil, entries.count == limit ? entries.last?.key : nil,
        ].compactMap(\.self)
        if let end = ends.min() {
            keys = keys.filter { $0 <= end }
            entries = entries.filter { $0.key <= end }
            self.after = end
        } else {
            isDone = true
        }
        let known = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0) })
        let listed = Set(keys)
        return listed.union(known.keys).sorted().map {
            Step(key: $0, isThere: listed.contains($0), entry: known[$0])
        }
    }
}
