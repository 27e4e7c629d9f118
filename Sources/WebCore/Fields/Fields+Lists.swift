import Kernel

extension Fields {
    /// Returns the indices of a list's entries; a member of an entry is then read as `name.INDEX.member`. In JSON the
    /// value is a list; in a form it is fields like `levels.0.points`, whose numbers may have gaps. Absent and null
    /// read as an empty list. These are noted as errors: a value that is no list (in a form: isn't numbered), an entry
    /// of a JSON list that is no object, a number in a form with another spelling than its canonical one (`levels.01`),
    /// and too many entries, none of which is read then.
    /// - Parameters:
    ///   - maximum: the most entries.
    ///   - message: the error of more entries; `nil` for one that only says how many are accepted.
    package mutating func indices(_ name: String, atMost maximum: Int, excess message: String? = nil) -> [Int] {
        switch lookUp(name) {
        case nil, .null?, .typed("")?: return []
        case .list(let values)? where !isForm:
            guard isAccepted(values.count, name, atMost: maximum, message) else { return [] }
            for (index, value) in values.enumerated() {
                if case .object = value { continue }
                addError("\(name).\(index)", t("Give an object here."))
            }
            return Array(values.indices)
        case .object(let members)? where isForm:
            guard isAccepted(members.count, name, atMost: maximum, message) else { return [] }
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

    /// Reads several texts: a JSON list, or a form's field that occurs once or more. Too many are noted as an error,
    /// and none of them is read.
    /// - Parameters:
    ///   - maximum: the most texts.
    ///   - message: the error of more texts; `nil` for one that only says how many are accepted.
    package mutating func strings(
        _ name: String, atMost maximum: Int, excess message: String? = nil
    ) -> Field<[String]> {
        if case .list(let values)? = lookUp(name), !isAccepted(values.count, name, atMost: maximum, message) {
            asked.insert(name)
            return .absent
        }
        return read(name, t("Enter text.")) { value in
            switch value {
            case .typed(let text): [text]
            case .list(let values): Self.texts(values)
            default: nil
            }
        }
    }

    /// Reads a JSON list of texts, or the lines of a form's text, without blank ones. Too many are noted as an error.
    /// - Parameters:
    ///   - maximum: the most texts.
    ///   - message: the error of more texts; `nil` for one that only says how many are accepted.
    package mutating func lines(
        _ name: String, atMost maximum: Int, excess message: String? = nil
    ) -> Field<[String]> {
        let field = strings(name, atMost: maximum, excess: message)
        guard isForm, let texts = field.value else { return field }
        let lines = texts.flatMap { text in
            text.split(whereSeparator: \.isNewline).filter { line in !line.allSatisfy(\.isWhitespace) }
        }
        guard isAccepted(lines.count, name, atMost: maximum, message) else { return .absent }
        return .value(lines.map { String($0) })
    }

    private static func texts(_ values: [FieldValue]) -> [String]? {
        let texts = values.compactMap { $0.plainText.flatMap { $0.utf8.contains(0) ? nil : $0 } }
        return texts.count == values.count ? texts : nil
    }

    private mutating func isAccepted(_ count: Int, _ name: String, atMost maximum: Int, _ message: String?) -> Bool {
        if count <= maximum { return true }
        addError(name, message ?? t("Give at most {n}.", ["n": String(maximum)]))
        return false
    }

    /// The names below a name of a form, sorted: `points.A=1&points.B=3` has A and B below `points`.
    /// - Parameter maximum: the most names. If there are more, the result is empty.
    package func names(below name: String, atMost maximum: Int) -> [String] {
        guard case .object(let members)? = lookUp(name), members.count <= maximum else { return [] }
        return members.keys.sorted().map(\.text)
    }
}
