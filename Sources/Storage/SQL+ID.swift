package import Kernel

extension SQL {
    /// The condition for the rows of a list after an id: `AND id > ?`; empty without an id.
    package static func after(_ id: ID<some Any>?, _ column: StaticString = "id") -> SQL {
        id.map { "AND \(raw: column) > \($0)" } ?? SQL()
    }

    /// The condition for the rows of a list before an id: `AND id < ?`; empty without an id.
    package static func before(_ id: ID<some Any>?, _ column: StaticString = "id") -> SQL {
        id.map { "AND \(raw: column) < \($0)" } ?? SQL()
    }
}
