package import Kernel

/// A JSON object of an archive. Values of another type are refused; null counts as absent.
package struct ImportObject: Sendable, Equatable {
    private let members: [MemberName: JSONValue]

    package init(_ members: [MemberName: JSONValue]) { self.members = members }

    /// The text; `nil` for any other value. The rules of the form decide about missing texts.
    package func text(_ name: MemberName) -> String? { members[name]?.text }

    /// Whether there is a value other than `null`.
    package func has(_ name: MemberName) -> Bool { value(name) != nil }

    /// - Throws: ``ImportArchive/refused`` for anything but a whole number.
    package func integer(_ name: MemberName) throws -> Int? {
        try value(name).map { value in try value.integer ?? refuse() }
    }

    /// - Throws: ``ImportArchive/refused`` for anything but a number.
    package func double(_ name: MemberName) throws -> Double? {
        try value(name).map { value in try value.double ?? refuse() }
    }

    /// - Throws: ``ImportArchive/refused`` for anything but a time.
    package func instant(_ name: MemberName) throws -> Instant? {
        try value(name).map { value in try value.text.flatMap { Instant(rfc3339: $0) } ?? refuse() }
    }

    /// - Throws: ``ImportArchive/refused`` for anything but an id.
    package func id<Entity>(_ name: MemberName, of _: Entity.Type = Entity.self) throws -> ID<Entity>? {
        try value(name).map { value in try value.text.flatMap { ID<Entity>($0) } ?? refuse() }
    }

    /// - Throws: ``ImportArchive/refused`` without an id.
    package func requiredID<Entity>(_ name: MemberName, of entity: Entity.Type = Entity.self) throws -> ID<Entity> {
        try id(name, of: entity) ?? refuse()
    }

    /// - Throws: ``ImportArchive/refused`` for anything but a list of at most `maximum` objects.
    package func list(_ name: MemberName, atMost maximum: Int) throws -> [ImportObject] {
        let values = try entries(name, atMost: maximum)
        return try values.map { value in
            guard case .object(let members) = value else { return try refuse() }
            return ImportObject(members)
        }
    }

    /// - Throws: ``ImportArchive/refused`` for anything but a list of at most `maximum` texts.
    package func texts(_ name: MemberName, atMost maximum: Int) throws -> [String] {
        try entries(name, atMost: maximum).map { try $0.text ?? refuse() }
    }

    /// Counts the entries before any of them is read.
    private func entries(_ name: MemberName, atMost maximum: Int) throws -> [JSONValue] {
        guard let value = value(name) else { return [] }
        guard let values = value.list, values.count <= maximum else { return try refuse() }
        return values
    }

    /// - Throws: ``ImportArchive/refused`` for anything but true or false.
    package func flag(_ name: MemberName) throws -> Bool? {
        try value(name).map { value in
            guard case .boolean(let isTrue) = value else { return try refuse() }
            return isTrue
        }
    }

    private func value(_ name: MemberName) -> JSONValue? {
        guard let value = members[name], value != .null else { return nil }
        return value
    }

    private func refuse<T>() throws -> T { throw ImportArchive.refused }
}
