/// A statement with its values. Interpolation binds: `"SELECT name FROM item WHERE id = \(id)"` sends the id as a
/// parameter, not as part of the text. Never write `?` yourself.
///
/// A bound `nil` has no type, which PostgreSQL needs in a bare `\(x) IS NULL`: make that decision in Swift.
package struct SQL: Sendable, Hashable {
    /// The statement with `?` in the place of each value.
    package private(set) var text: String
    /// The values in the order of their placeholders.
    package private(set) var values: [SQLValue]

    /// Creates an empty statement to append to.
    package init() {
        text = ""
        values = []
    }

    init(_ statement: FixedSQL, _ values: [SQLValue]) {
        text = statement.text
        self.values = values
    }

    /// Creates a statement from a text that isn't a literal, for example a migration's. Never pass input.
    init(trusted text: String, values: [SQLValue] = []) {
        self.text = text
        self.values = values
    }

    /// Concatenates two statements.
    package static func + (left: SQL, right: SQL) -> SQL {
        var sum = left
        sum += right
        return sum
    }

    /// Appends the text and the values of `right`.
    package static func += (left: inout SQL, right: SQL) {
        left.text += right.text
        left.values += right.values
    }
}

extension [SQL] {
    /// Returns all parts with `separator` between them, for lists of conditions or assignments.
    package func joined(separator: StaticString) -> SQL {
        var whole = SQL()
        for (index, part) in enumerated() {
            whole += index == 0 ? part : "\(raw: separator)\(sql: part)"
        }
        return whole
    }
}

extension SQL: ExpressibleByStringInterpolation {
    package init(stringLiteral: String) { self.init(trusted: stringLiteral) }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        values = stringInterpolation.values
    }

    /// Collects a statement's text and values from an interpolated literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        var values: [SQLValue] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount)
            values.reserveCapacity(interpolationCount)
        }

        /// Appends the text between the values.
        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Binds a value.
        package mutating func appendInterpolation(_ value: some SQLBindable) {
            text += "?"
            values.append(value.sqlValue)
        }

        /// Binds a value, or NULL.
        package mutating func appendInterpolation(_ value: (some SQLBindable)?) {
            text += "?"
            values.append(value?.sqlValue ?? .null)
        }

        /// Inserts a part of the statement from a literal in the source code.
        package mutating func appendInterpolation(raw: StaticString) { text += raw.description }

        /// Inserts a part with its own values.
        package mutating func appendInterpolation(sql: SQL) {
            text += sql.text
            values += sql.values
        }

        /// Binds each element of `list`, in parentheses, for `IN`. An empty list matches nothing; don't use it with
        /// `NOT IN`.
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
