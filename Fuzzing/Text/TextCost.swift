import Foundation
import Glibc
import Kernel

/// The function that libFuzzer calls with each input: the first byte selects a reader of external text, the rest is its
/// input. Fails when the reader takes more processor time per byte than a linear reader does.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = input.first else { return 0 }
    TextCost(bytes: Array(input.dropFirst())).check(choice)
    return 0
}

struct TextCost {
    /// More than the slowest reader takes with all checks on: 3,000 ns per byte of a form whose bytes aren't UTF-8. A
    /// reader whose time grows with the square of a run's length takes more than three times as much for 64 KB.
    private static let nanosecondsPerByte: Int64 = 4_000
    private static let nanosecondsAtLeast: Int64 = 3_000_000
    private static let tries = 3

    let bytes: [UInt8]

    func check(_ choice: UInt8) {
        let limit = Int64(bytes.count) * Self.nanosecondsPerByte + Self.nanosecondsAtLeast
        // A page fault or the first look-up in a table can be slow once.
        for _ in 0..<Self.tries where nanoseconds({ read(choice) }) <= limit { return }
        fatalError("\(bytes.count) bytes cost more than \(limit) ns by reader \(UnicodeScalar(choice))")
    }

    private func nanoseconds(_ work: () -> Void) -> Int64 {
        let start = clock_gettime_nsec_of_thread()
        work()
        return clock_gettime_nsec_of_thread() - start
    }

    private func clock_gettime_nsec_of_thread() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func read(_ choice: UInt8) {
        switch choice {
        case UInt8(ascii: "j"): json()
        case UInt8(ascii: "d"): decoded()
        case UInt8(ascii: "f"): form()
        case UInt8(ascii: "m"): multipart()
        case UInt8(ascii: "h"): header()
        default: plain(bytes)
        }
    }

    private func json() {
        if let value = JSONReader.value(of: bytes, refusing: .unpairedSurrogates) { use(FieldValue(value)) }
        if let value = JSONReader.value(of: bytes) { use(FieldValue(value)) }
    }

    /// Texts that Foundation decodes: messages from trackers, apps and cloud services.
    private func decoded() {
        guard JSONSyntax.isValid(bytes) else { return }
        _ = try? JSONDecoder().decode([String: String].self, from: Data(bytes))
    }

    private func form() {
        for (name, value) in URLEncodedForm.fields(of: bytes) ?? [] {
            _ = MemberName(name) == MemberName("name")
            use(value)
        }
        for (name, value) in URLEncodedForm.pairs(of: bytes, lenient: true) ?? [] {
            use(name)
            use(value)
        }
        if StreamSafeText.isValid(percentEncoded: bytes) {
            use(String(decoding: bytes, as: UTF8.self).removingPercentEncoding ?? "")
        }
    }

    private func multipart() {
        guard var parser = MultipartParser(boundary: "x") else { return }
        do {
            try parser.feed(bytes)
            for part in try parser.finish() {
                use(part.name)
                use(part.filename ?? "")
                if let value = FieldValue(typed: part.bytes) { use(value) }
            }
        } catch {}
    }

    private func header() {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        _ = Language.preferred(by: text)
        _ = MultipartHeaders.parameters(of: text)
    }

    private func plain(_ bytes: [UInt8]) {
        guard StreamSafeText.isValid(bytes), let text = String(validating: bytes, as: UTF8.self) else { return }
        use(text)
    }

    private func use(_ value: FieldValue) {
        switch value {
        case .text(let text), .typed(let text): use(text)
        case .list(let values): for value in values { use(value) }
        case .object(let members):
            for (name, value) in members {
                use(name.text)
                use(value)
            }
        default: break
        }
    }

    /// The operations that the product performs on a text.
    private func use(_ text: String) {
        precondition(StreamSafeText.isValid(text.utf8), "a reader let a long run through")
        var hasher = Hasher()
        text.hash(into: &hasher)
        _ = (text + "x") == text
        _ = text.count
        _ = text.lowercased()
        _ = try? DisplayName(text)
        _ = MarkupText.html(text)
    }
}
