import Foundation
import Kernel

/// Any key of a JSON object.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// A device's JSON object, read field by field. Unknown keys are ignored, null counts as absent, and a wrong type is
/// distinct from an absent field.
struct LooseFields: Decodable {
    private let container: KeyedDecodingContainer<AnyKey>

    init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: AnyKey.self) }

    private init(_ container: KeyedDecodingContainer<AnyKey>) { self.container = container }

    /// The reason that a body isn't a JSON object.
    enum Failure: Error {
        case notJSON
        case notAnObject
    }

    static func read(_ bytes: [UInt8]) throws(Failure) -> LooseFields {
        // `JSONDecoder` accepts more than JSON.
        guard JSONSyntax.isValid(bytes) else { throw .notJSON }
        do {
            return try JSONDecoder().decode(LooseFields.self, from: Data(bytes))
        } catch DecodingError.dataCorrupted {
            throw .notJSON
        } catch {
            throw .notAnObject
        }
    }

    /// `nil` also for a field that isn't a string.
    func string(_ name: String) -> String? { try? container.decode(String.self, forKey: AnyKey(name)) }

    func isPresent(_ name: String) -> Bool {
        guard container.contains(AnyKey(name)) else { return false }
        return (try? container.decodeNil(forKey: AnyKey(name))) != true
    }

    func number(_ name: String) throws(QuarantineReason) -> Double? {
        guard isPresent(name) else { return nil }
        guard let value = try? container.decode(Double.self, forKey: AnyKey(name)) else { throw .unreadableNumber }
        return value
    }

    /// The entries of an array, with `nil` for an entry that isn't an object; `nil` when the field isn't an array.
    func objects(_ name: String) -> [LooseFields?]? {
        guard var list = try? container.nestedUnkeyedContainer(forKey: AnyKey(name)) else { return nil }
        var entries: [LooseFields?] = []
        while !list.isAtEnd {
            if let entry = try? list.nestedContainer(keyedBy: AnyKey.self) {
                entries.append(LooseFields(entry))
            } else {
                entries.append(nil)
                // After a failed decode the container's index still points at the same entry.
                guard (try? list.decode(Skipped.self)) != nil else { return entries }
            }
        }
        return entries
    }

    /// Decodes from any value.
    private struct Skipped: Decodable {
        init(from decoder: any Decoder) {}
    }

    func object(_ name: String) throws(QuarantineReason) -> LooseFields? {
        guard isPresent(name) else { return nil }
        guard let nested = try? container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(name)) else {
            throw .unexpectedShape
        }
        return LooseFields(nested)
    }
}
