/// Comparison whose duration reveals nothing about the values.
package enum ConstantTime {
    /// Returns whether the bytes are equal. The duration depends only on their count.
    package static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
