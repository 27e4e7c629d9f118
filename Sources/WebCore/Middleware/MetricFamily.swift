/// A metric in Prometheus' text format 0.0.4: its name, type and help, and its values.
package struct MetricFamily: Sendable {
    /// The type of a metric, which Prometheus needs to read its values.
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    private struct Sample {
        let suffix: String
        let labels: [(name: String, value: String)]
        let value: String
    }

    private let name: String
    private let kind: Kind
    private let help: String
    private var samples: [Sample] = []

    package init(_ name: String, _ kind: Kind, help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// Adds a value. The values of `labels` must be from a small set.
    package mutating func add(_ value: Double, labels: [(name: String, value: String)] = []) {
        samples.append(Sample(suffix: "", labels: labels, value: Self.text(value)))
    }

    /// Adds a histogram.
    /// - Parameters:
    ///   - groups: the number of observations up to each of `bounds` but above the previous one, and of those above
    ///     the last.
    ///   - sum: the sum of all observations.
    package mutating func add(
        groups: [Int], bounds: [Double], sum: Double, labels: [(name: String, value: String)] = []
    ) {
        var count = 0
        for (index, group) in groups.enumerated() {
            count += group
            let bound = index < bounds.count ? Self.text(bounds[index]) : "+Inf"
            samples.append(Sample(suffix: "_bucket", labels: labels + [("le", bound)], value: "\(count)"))
        }
        samples.append(Sample(suffix: "_sum", labels: labels, value: Self.text(sum)))
        samples.append(Sample(suffix: "_count", labels: labels, value: "\(count)"))
    }

    /// The lines; empty without a value.
    var text: String {
        guard !samples.isEmpty else { return "" }
        let head = "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        return head + samples.map { "\(name)\($0.suffix)\(Self.text($0.labels)) \($0.value)\n" }.joined()
    }

    private static func text(_ labels: [(name: String, value: String)]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func text(_ value: Double) -> String {
        // Whole numbers without a fraction or exponent, which people read more easily.
        Int64(exactly: value).map(String.init) ?? value.description
    }
}
