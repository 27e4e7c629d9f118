extension Translator {
    /// Returns a date in words: `31 July 2018` for `2018-07-31`. Any other text stays as it is.
    package func date(_ text: String) -> String {
        let t = self
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, let month = month(parts[1]) else { return text }
        return t("{day} {month} {year}", ["day": String(parts[2]), "month": month, "year": String(parts[0])])
    }

    /// Returns the month of a date in words: `July 2018` for `2018-07-31`. Any other text stays as it is.
    package func month(of text: String) -> String {
        let t = self
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, let month = month(parts[1]) else { return text }
        return t("{month} {year}", ["month": month, "year": String(parts[0])])
    }

    private func month(_ number: Int) -> String? {
        let t = self
        return switch number {
        case 1: t("January")
        case 2: t("February")
        case 3: t("March")
        case 4: t("April")
        case 5: t("May")
        case 6: t("June")
        case 7: t("July")
        case 8: t("August")
        case 9: t("September")
        case 10: t("October")
        case 11: t("November")
        case 12: t("December")
        default: nil
        }
    }
}
