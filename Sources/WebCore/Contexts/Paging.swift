package import Kernel
import Translations

/// The requested page of a list.
package struct Paging: Sendable, Equatable {
    /// The cursor that the previous page returned as `next`; `nil` for the first page.
    package let after: String?
    /// The maximum number of entries: 1…``Limits/pageSizeMaximum``.
    package let limit: Int

    /// Reads `?limit=…&after=…`; an empty cursor counts as absent.
    /// - Throws: `AppError` (invalid) with `fields.limit`, or `fields.after` for a cursor longer than
    ///   ``Limits/cursorBytes``.
    package init(limit: String?, after: String?, language: Language) throws {
        let t = Translations.translator(language)
        self.limit = try Self.readLimit(limit, t)
        if let after, !after.isEmpty {
            guard after.utf8.count <= Limits.cursorBytes else {
                throw AppError.invalid("after", t("Start from the first page."))
            }
            self.after = after
        } else {
            self.after = nil
        }
    }

    private static func readLimit(_ text: String?, _ t: Translator) throws -> Int {
        guard let text else { return Limits.pageSizeDefault }
        let range = 1...Limits.pageSizeMaximum
        guard let limit = Int(text), range.contains(limit) else {
            throw AppError.invalid("limit", Fields.outOfRange(range.lowerBound, range.upperBound, t))
        }
        return limit
    }
}
