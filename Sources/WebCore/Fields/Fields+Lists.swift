import Kernel

extension Fields {
    /// Returns the indices of a list's entries; a member of an entry is then read as `name.INDEX.member`. In JSON the
    /// value is a list; in a form it is fields like `levels.0.points`, whose numbers may have gaps. Absent and null
    /// read as an empty list. These are noted as errors: a value that is no list (in a form: isn't numbered), an entry
    /// of a JSON list that is no object, a number in a form with another spelling than its canonical one (`levels.01`),
    /// and more than ``Limits/listEntries``, in which case no entry is read.
    package mutating func indices(_ name: String) -> [Int] {
        switch lookUp(name) {
        case nil, .null?, .typed("")?: return []
        case .list(let values)? where !isForm:
            guard isCounted(values.count, name) else { return [] }
            for (index, value) in values.enumerated() {
                if case .object = value { continue }
                addError("\(name).\(index)", t("Give an object here."))
            }
            return Array(values.indices)
        case .object(let members)? where isForm:
            guard isCounted(members.count, name) else { return [] }
            return members.keys.compactMap { entry -> Int? in
                guard let index = Int(entry.text) else { return nil }
                // Two spellings of one number would be two entries that are read as one.
                guard MemberName(String(index)) == entry, index >= 0 else {
                    addError("\(name).\(entry.text)", t("Number the entries 0, 1, 2."))
                    return nil
                }
                return index
            }.sorted()
        default:
            addError(name, t("Give a list."))
            return []
        }
    }

    private mutating func isCounted(_ count: Int, _ name: String) -> Bool {
        if count > Limits.listEntries { addError(name, t("Give at most {n}.", ["n": String(Limits.listEntries)])) }
        return count <= Limits.listEntries
    }

    /// The names below a name of a form, sorted: `points.A=1&points.B=3` has A and B below `points`.
    package func names(below name: String) -> [String] {
        guard case .object(let members)? = lookUp(name) else { return [] }
        return members.keys.sorted().map(\.text)
    }
}
