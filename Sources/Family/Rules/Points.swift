/// The meaning of a balance of points under a contract. The maximum is applied here, on reading: the ledger keeps every
/// point, so that an undo always finds the points that were posted.
enum Points {
    /// The points under the contract, 0 to its maximum.
    static func gained(_ balance: Int64, of maximum: Int64) -> Int64 { min(max(balance, 0), maximum) }

    /// The points above the maximum.
    static func surplus(_ balance: Int64, of maximum: Int64) -> Int64 { max(balance - maximum, 0) }

    static func reaches(_ balance: Int64, _ threshold: Int64) -> Bool { balance >= threshold }

    /// The numbers of the levels that a balance newly reaches.
    static func newlyReached(_ thresholds: [Int64], from before: Int64, to after: Int64) -> [Int] {
        thresholds.enumerated().filter { !reaches(before, $0.element) && reaches(after, $0.element) }.map {
            $0.offset + 1
        }
    }
}
