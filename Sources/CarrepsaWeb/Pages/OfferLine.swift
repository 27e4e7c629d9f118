import Carrepsa
import Kernel
import WebCore

/// A line of an offer as its reader sees it. The form that accepts the offer repeats the lines, so that the server can
/// say what the owner changed since.
struct OfferLine: Sendable {
    private let label: String
    private let value: String

    /// The line of the form.
    var text: String { Self.prefix(label) + value }

    private static func prefix(_ label: String) -> String { label + ": " }

    static func all(_ package: Package, _ t: Translator, _ formatter: CarrepsaFormatter) -> [OfferLine] {
        let facts = PackageFact.all(package, t, formatter).map { OfferLine(label: $0.factLabel, value: $0.factText) }
        let deadline = package.deadline.map {
            OfferLine(label: t("Pick up by"), value: FormattedDeadline($0, formatter.times).exact)
        }
        return [OfferLine(label: t("Title"), value: package.title)] + facts + (deadline.map { [$0] } ?? [])
    }

    /// Returns what the owner changed since the reader read these lines.
    static func changes(
        of package: Package, since read: [String], _ t: Translator, _ formatter: CarrepsaFormatter
    ) -> String {
        let now = all(package, t, formatter)
        let changed = now.filter { !read.contains($0.text) }.map { line in
            let before = read.first { $0.hasPrefix(prefix(line.label)) }?.dropFirst(prefix(line.label).count)
            return before.map {
                t("{what}: {new} instead of {old}", ["what": line.label, "new": line.value, "old": String($0)])
            } ?? line.text
        }
        let labels = now.map { prefix($0.label) }
        let gone = read.filter { line in !labels.contains { line.hasPrefix($0) } }.map {
            t("Removed: {what}", ["what": $0])
        }
        let all = changed + gone
        guard !all.isEmpty else { return t("The owner changed this offer. Read it again before you accept it.") }
        return t("The owner changed this offer: {changes}", ["changes": all.isolated(separator: "; ")])
    }
}
