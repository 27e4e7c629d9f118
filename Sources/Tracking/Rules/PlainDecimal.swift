/// Formats numbers as the shortest decimal fraction that reads back to the same value, without an exponent:
/// `xsd:decimal` and the URLs of map services don't accept `1e-05`.
enum PlainDecimal {
    static func text(_ value: Double) -> String {
        let shortest = value.description
        guard let mark = shortest.firstIndex(of: "e") else {
            return shortest.hasSuffix(".0") ? String(shortest.dropLast(2)) : shortest
        }
        let sign = value < 0 ? "-" : ""
        let mantissa = shortest[..<mark].drop { $0 == "-" }
        let exponent = Int(shortest[shortest.index(after: mark)...]) ?? 0
        let parts = mantissa.split(separator: ".")
        let whole = parts.first ?? "0"
        let fraction = parts.count > 1 && parts[1] != "0" ? String(parts[1]) : ""
        let digits = String(whole) + fraction
        let point = whole.count + exponent
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
        return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }
}
