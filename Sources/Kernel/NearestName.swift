/// Finds the name that a mistyped one most likely stands for.
package enum NearestName {
    /// Returns the name with the fewest typing errors: insertions, deletions, replacements and swaps of neighbours.
    /// - Parameter most: the errors up to which a name is near; without it, half of its length, and a name that begins
    ///   or ends with the typed one is near, too.
    package static func of(_ typed: String, in names: [String], most: Int? = nil) -> String? {
        let bytes = Array(typed.utf8.prefix(Limits.settingNameBytes))
        let near = names.sorted().map { (name: $0, errors: errors(bytes, Array($0.utf8))) }.filter { candidate in
            candidate.errors <= most ?? candidate.name.utf8.count / 2
        }
        if let best = near.min(by: { $0.errors < $1.errors }) { return best.name }
        guard most == nil, !typed.isEmpty else { return nil }
        return names.sorted().first { $0.hasPrefix(typed) || $0.hasSuffix(typed) }
    }

    /// The optimal string alignment distance.
    private static func errors(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in 0..<first.count {
            var present = [row + 1]
            for column in 0..<second.count {
                let isSame = first[row] == second[column]
                var least = min(last[column + 1] + 1, present[column] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                present.append(least)
            }
            (beforeLast, last) = (last, present)
        }
        return last[second.count]
    }
}
