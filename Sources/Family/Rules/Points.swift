/// What a balance of points means under a contract. The cap is applied here, when reading: the ledger keeps every point,
/// so that an undo always finds what was booked.
enum Points {
    /// Points under the contract, never above its maximum.
    static func gained(_ balance: Int64, of maximum: Int64) -> Int64 { min(max(balance, 0), maximum) }

    /// What lies above the maximum.
    static func surplus(_ balance: Int64, of maximum: Int64) -> Int64 { max(balance - maximum, 0) }

    /// Whether a level is reached.
    static func reaches(_ balance: Int64, _ threshold: Int64) -> Bool { balance >= threshold }

    /// The numbers of the levels that a balance newly reaches.
    static func newlyReached(_ thresholds: [Int64], from before: Int64, to after: Int64) -> [Int] {
        thresholds.enumerated().filter { !reaches(before, $0.element) && reaches(after, $0.element) }.map {
            $0.offset + 1
        }
    }
}
