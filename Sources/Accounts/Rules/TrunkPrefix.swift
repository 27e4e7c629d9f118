/// The digits that people dial before a number within its country, and not after the country's code (ITU-T E.123, 7.1).
/// The codes are those of ITU-T E.164, of which none begins with another.
enum TrunkPrefix {
    /// Countries whose trunk prefix is a zero, with which no number begins.
    private static let zero: Set<Substring> = [
        "20", "211", "212", "213", "218", "231", "232", "233", "234", "243", "249", "250", "251", "252", "254", "255",
        "256", "260", "261", "262", "263", "264", "265", "27", "291", "31", "32", "33", "353", "355", "358", "359",
        "370", "373", "374", "375", "377", "380", "381", "382", "383", "385", "386", "387", "389", "40", "41", "421",
        "423", "43", "44", "46", "49", "508", "51", "53", "54", "55", "57", "58", "590", "591", "593", "594", "595",
        "596", "598", "60", "61", "62", "63", "64", "66", "686", "81", "82", "84", "850", "855", "856", "86", "880",
        "886", "90", "91", "92", "93", "94", "95", "961", "962", "963", "964", "966", "967", "970", "971", "972", "976",
        "977", "98", "994", "995", "996",
    ]
    /// Countries where numbers begin with a zero, which is always dialled: Italy with San Marino and the Vatican, Côte
    /// d’Ivoire, Benin, Gabon and Congo.
    private static let keepingZero: Set<Substring> = ["39", "378", "379", "225", "229", "241", "242"]
    /// Other trunk prefixes. A number may begin with the same digit, so the count of digits decides.
    private static let others: [(code: String, prefix: String, digits: ClosedRange<Int>)] = [
        ("1", "1", 11...11), ("36", "06", 9...11), ("370", "8", 9...9), ("375", "80", 11...11), ("375", "8", 10...10),
        ("52", "01", 12...12), ("52", "1", 11...11), ("692", "1", 8...8), ("7", "8", 11...11), ("993", "8", 9...9),
    ]
    private static let codeDigits = 1...3

    /// Returns an international number without its trunk prefix.
    /// - Parameter number: the digits after the plus. A `z` is a zero in brackets, which people write where it isn't
    ///   dialled, and also in Italian numbers.
    static func removed(from number: String) -> String {
        let codes = codeDigits.map { number.prefix($0) }
        if codes.contains(where: keepingZero.contains) { return number.replacing("z", with: "0") }
        let dialled = number.replacing("z", with: "")
        if let code = codes.first(where: zero.contains) {
            let national = dialled.dropFirst(code.count)
            if national.hasPrefix("0") { return String(code + national.dropFirst()) }
        }
        for other in others where dialled.hasPrefix(other.code) {
            let national = dialled.dropFirst(other.code.count)
            guard national.hasPrefix(other.prefix), other.digits.contains(national.count) else { continue }
            return other.code + national.dropFirst(other.prefix.count)
        }
        return dialled
    }
}
