package import Kernel
import Objects

extension BackupRepository {
    /// Deletes the backups that `retention` doesn't keep, interrupted ones, and the contents of objects that no backup
    /// refers to.
    ///
    /// An incomplete backup may be in progress for a day; until then no content is deleted. A backup reuses only
    /// contents that the newest complete backup refers to, which is always kept.
    /// - Returns: the backups that were deleted.
    package func prune(_ retention: BackupRetention, now: Instant) async throws -> [BackupName] {
        let all = try await names()
        let kept = retention.kept(of: all.filter(\.isComplete).map(\.name))
        let incomplete = all.filter { !$0.isComplete }.map(\.name)
        let interrupted = incomplete.filter { name in
            now.seconds(since: name.startedAt) > Double(Limits.backupInterruptedSeconds)
        }
        let surplus = all.filter(\.isComplete).map(\.name).filter { !kept.contains($0) }
        for name in surplus + interrupted { try await delete(name) }
        guard incomplete.count == interrupted.count else { return surplus + interrupted }
        var referenced: Set<String> = []
        for name in kept.sorted() {
            for object in try await objects(of: try await find(name)) {
                referenced.insert(RepositoryLayout.object(object.digest, key))
            }
        }
        for content in try await contents().subtracting(referenced).sorted() { try await store.delete(content) }
        return surplus + interrupted
    }
}
