import Kernel

/// Which backups of a repository are kept: the newest one of each of the last days, weeks and months that have one.
package struct BackupRetention: Sendable, Hashable {
    package var days = 0
    package var weeks = 0
    package var months = 0

    /// Reads `7 days, 4 weeks, 12 months`; `nil` for another text, or one that keeps nothing.
    package init?(_ text: String) {
        for part in text.split(separator: ",") {
            let words = part.split(separator: " ")
            guard words.count == 2, let count = Int(words[0]), (0...Limits.backupsKept).contains(count) else {
                return nil
            }
            switch words[1] {
            case "day", "days": days = count
            case "week", "weeks": weeks = count
            case "month", "months": months = count
            default: return nil
            }
        }
        guard days + weeks + months > 0 else { return nil }
    }

    /// Returns the backups to keep. The newest one is always among them. Days are those of UTC.
    package func kept(of names: [BackupName]) -> Set<BackupName> {
        let newestFirst = names.sorted(by: >)
        var kept = Set(newestFirst.prefix(1))
        kept.formUnion(newest(newestFirst, of: days) { Self.day($0) })
        // The first day of 1970 was a Thursday, and weeks begin on Mondays.
        kept.formUnion(newest(newestFirst, of: weeks) { (Self.day($0) + 3) / 7 })
        kept.formUnion(newest(newestFirst, of: months) { String($0.startedAt.rfc3339.prefix(7)) })
        return kept
    }

    private static func day(_ name: BackupName) -> Int64 { name.startedAt.millisecondsSince1970 / 86_400_000 }

    private func newest<Period: Hashable>(
        _ names: [BackupName], of count: Int, _ period: (BackupName) -> Period
    ) -> [BackupName] {
        var seen: Set<Period> = []
        return names.filter { name in seen.count < count && seen.insert(period(name)).inserted }
    }
}
