import Kernel

extension ClosedRange<Int> {
    /// Returns the values of the placeholders of a text that names the range: `1` and `3,650`.
    func texts(_ t: Translator) -> KeyValuePairs<String, String> {
        ["least": t.language.grouped(String(lowerBound)), "most": t.language.grouped(String(upperBound))]
    }
}
