extension Fields {
    /// The entries of a list by their indexes; a member of one is then read as `name.INDEX.member`. JSON has a list, a
    /// form fields such as `levels.0.points`, whose numbers may have gaps. Absent and null read as none; what is neither
    /// list nor, in a form, numbered is noted, and so is a JSON list's entry that is no object.
    package mutating func indices(_ name: String) -> [Int] {
        switch lookUp(name) {
        case nil, .null?, .typed("")?: return []
        case .list(let values)? where !isForm:
            for (index, value) in values.enumerated() {
                if case .object = value { continue }
                note("\(name).\(index)", messages.entry)
            }
            return Array(values.indices)
        case .object(let members)? where isForm: return members.keys.compactMap { Int($0) }.sorted()
        default:
            note(name, messages.list)
            return []
        }
    }

    /// The names below a name of a form, in order: `points.A=1&points.B=3` has A and B below `points`.
    package func names(below name: String) -> [String] {
        guard case .object(let members)? = lookUp(name) else { return [] }
        return members.keys.sorted()
    }
}
