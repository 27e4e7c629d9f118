/// A statement with its values. Interpolation binds: `"SELECT name FROM item WHERE id = \(id)"` sends the id beside
/// the statement, never inside it. Never write `?` yourself.
///
/// A bound `nil` has no type, which PostgreSQL needs in a bare `\(x) IS NULL`: decide that in Swift.
package struct SQL: Sendable, Hashable {
    /// The statement with `?` in the place of each value.
    package private(set) var text: String
    /// The values in the order of their places.
    package private(set) var values: [SQLValue]

    /// Nothing, to be added to.
    package init() {
        text = ""
        values = []
    }

    /// A fixed statement with its values.
    init(_ statement: FixedSQL, _ values: [SQLValue]) {
        text = statement.text
        self.values = values
    }

    /// A statement without values that is not known at compile time, such as a migration's. Never from input.
    init(trusted text: String) {
        self.text = text
        values = []
    }

    /// One statement after the other.
    package static func + (left: SQL, right: SQL) -> SQL {
        var sum = left
        sum += right
        return sum
    }

    /// Appends `right`.
    package static func += (left: inout SQL, right: SQL) {
        left.text += right.text
        left.values += right.values
    }
}

extension [SQL] {
    /// All parts with `separator` between them, for lists of conditions or assignments.
    package func joined(separator: StaticString) -> SQL {
        var whole = SQL()
        for (index, part) in enumerated() {
            whole += index == 0 ? part : "\(raw: separator)\(sql: part)"
        }
        return whole
    }
}

extension SQL: ExpressibleByStringInterpolation {
    /// A statement without values.
    package init(stringLiteral: String) { self.init(trusted: stringLiteral) }

    /// A statement with the values that were interpolated.
    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        values = stringInterpolation.values
    }

    /// Collects a statement's text and values.
    package struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        var values: [SQLValue] = []

        /// Begins a statement.
        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount)
            values.reserveCapacity(interpolationCount)
        }

        /// Adds what stands between the values.
        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Binds `value` here.
        package mutating func appendInterpolation(_ value: some SQLBindable) {
            text += "?"
            values.append(value.sqlValue)
        }

        /// Binds a value, or NULL.
        package mutating func appendInterpolation(_ value: (some SQLBindable)?) {
            text += "?"
            values.append(value?.sqlValue ?? .null)
        }

        /// Puts a part of the statement here that stands in the source code.
        package mutating func appendInterpolation(raw: StaticString) { text += raw.description }

        /// Puts a part with its own values here.
        package mutating func appendInterpolation(sql: SQL) {
            text += sql.text
            values += sql.values
        }

        /// Binds each of `list`, in parentheses, for `IN`. An empty list matches nothing; don't use it with `NOT IN`.
        package mutating func appendInterpolation(list: [some SQLBindable]) {
            guard !list.isEmpty else {
                text += "(NULL)"
                return
            }
            text += "("
            text += repeatElement("?", count: list.count).joined(separator: ",")
            text += ")"
            values.append(contentsOf: list.lazy.map(\.sqlValue))
        }
    }
}
