package import Kernel

/// A size in decimal units as people read it, for example `840 kB` or `1.2 GB`.
package struct ByteSizeText {
    private let t: Translator

    package init(_ t: Translator) { self.t = t }

    /// Returns the text of a size, which is 0 or more.
    package func text(_ bytes: Int64) -> String {
        let kilobytes = Double(bytes) / 1_000
        if kilobytes < 999.5 { return t("{n} kB", ["n": number(kilobytes)]) }
        if kilobytes < 999_500 { return t("{n} MB", ["n": number(kilobytes / 1_000)]) }
        return t("{n} GB", ["n": number(kilobytes / 1_000_000)])
    }

    /// One decimal below 10, and none above. Something is never 0.
    private func number(_ value: Double) -> String {
        guard value < 9.95 else { return t.language.grouped(String(Int(value.rounded()))) }
        let tenths = value > 0 ? max(1, Int((value * 10).rounded())) : 0
        return tenths % 10 == 0
            ? String(tenths / 10) : "\(tenths / 10)\(t.language.decimalSeparator)\(tenths % 10)"
    }
}
