extension StringProtocol {
    /// Returns the text without leading and trailing spaces and tabs (optional white space in HTTP).
    package func trimmingSpaces() -> String {
        let text = String(self)
        let bytes = text.utf8
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let start = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(text[start...last])
    }

    /// Returns the text without whitespace of any kind at its ends.
    func trimmingWhitespace() -> SubSequence {
        let start = self[(firstIndex { !$0.isWhitespace } ?? endIndex)...]
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? start
    }
}
