import Synchronization
import WebCore

/// Sample values for a view model of which only the type is known: every text is a sample, and the seed determines
/// which optional values, list entries and flags are present.
struct SampleModel: TemplateLookup {
    /// The part of a sample's text after its number.
    enum Content { case plain, hostile, rightToLeft }

    private static let listCount = 2

    let type: ViewModelType
    let seed: UInt64
    let content: Content
    let numbers: SampleNumbers

    func child(named name: String) -> Any? { type.property(name).flatMap(value) }

    private func value(of type: ViewModelType) -> Any? {
        if type.isOptional { return isThere(type.origin) ? value(of: type.unwrapped) : nil }
        if let element = type.element {
            let count = isThere(type.origin) ? Self.listCount : 0
            return (0..<count).compactMap { _ in value(of: element) }
        }
        if type.isFlag { return isThere(type.origin) }
        if type.type == String.self { return sample(of: type.origin) }
        if type.isText { return 7 }
        return SampleModel(type: type, seed: seed, content: content, numbers: numbers)
    }

    private func sample(of origin: String) -> String {
        // An SVG of ours, which is printed without escaping.
        if origin.hasSuffix(".qr") { return "" }
        let text =
            switch content {
            case .plain: Self.plain
            case .hostile: Self.hostile
            case .rightToLeft: Self.rightToLeft
            }
        return "sample\(numbers.number(of: origin))." + text
    }

    // The first two seeds have all values and none; the others mix, by the bits of FNV-1a (draft-eastlake-fnv).
    private func isThere(_ origin: String) -> Bool {
        guard seed > 1 else { return seed == 0 }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ (seed &* 0x9e37_79b9_7f4a_7c15)
        for byte in origin.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return (hash ^ (hash >> 29) ^ (hash >> 43)) & 1 == 0
    }

    /// Replaces ``hostile`` in the harmless rendering.
    static let plain = "harmless"

    /// A name that would reorder the text around it.
    static let rightToLeft = "שלום"

    /// Each special character of HTML before each kind of mark that joins it to one `Character`, in texts that would
    /// become attributes, elements or entities.
    static let hostile: String = {
        let signs = ["\"", "'", "<", ">", "&", "="]
        let marks = ["", "\u{301}", "\u{fe0f}", "\u{200d}", "\u{903}"]
        let pieces = marks.flatMap { mark in signs.map { sign in "\(sign)\(mark) hx-patch=/account x\(sign)" } }
        return pieces.joined(separator: " ") + " </textarea></title></template></script><b hx-get=/x>&quot;<!--"
    }()
}

/// A number for each stored property, so that a page shows which of them it printed.
final class SampleNumbers: Sendable {
    private let content = Mutex<[String: Int]>([:])

    func number(of origin: String) -> Int {
        content.withLock { numbers in
            if let known = numbers[origin] { return known }
            let number = numbers.count
            numbers[origin] = number
            return number
        }
    }

    /// The properties whose samples a page contains.
    func origins(in page: String) -> Set<String> {
        let found = Set(page.matches(of: #/sample([0-9]+)\./#).compactMap { Int($0.output.1) })
        return content.withLock { numbers in Set(numbers.filter { found.contains($0.value) }.keys) }
    }
}
