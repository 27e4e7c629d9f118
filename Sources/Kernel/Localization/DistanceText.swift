/// Distances as people read them.
package enum DistanceText {
    private static let metresPerKilometre = 1_000.0
    /// Beyond every distance on Earth.
    private static let limitMetres = 1e9

    /// Returns `340 m`, `1.2 km` or `20,015 km` in the translator's language: whole metres below a kilometre, one
    /// decimal below ten kilometres, and whole kilometres from there.
    /// - Parameter metres: 0 or more.
    package static func of(_ metres: Double, _ t: Translator) -> String {
        let metres = metres.isFinite ? min(metres, limitMetres) : limitMetres
        if metres.rounded() < metresPerKilometre { return t("{n}\u{a0}m", ["n": String(Int(metres.rounded()))]) }
        let kilometres = metres / metresPerKilometre
        let tenths = Int((kilometres * 10).rounded())
        let number =
            tenths < 100
            ? "\(tenths / 10)\(t.language.decimalSeparator)\(tenths % 10)"
            : t.language.grouped(String(Int(kilometres.rounded())))
        return t("{n}\u{a0}km", ["n": number])
    }
}
