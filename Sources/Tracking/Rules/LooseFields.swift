import Kernel

/// A device's JSON object, read field by field. Unknown keys are ignored, null counts as absent, and a wrong type is
/// distinct from an absent field.
struct LooseFields {
    private let value: JSONValue

    /// The reason that a body isn't a JSON object.
    enum Failure: Error {
        case notJSON
        case notAnObject
    }

    static func read(_ bytes: [UInt8]) throws(Failure) -> LooseFields {
        switch JSONReader.value(of: bytes) {
        case nil, .unpairedNames?: throw .notJSON
        case .object(let members)?: return LooseFields(value: .object(members))
        default: throw .notAnObject
        }
    }

    /// `nil` also for a field that isn't a string.
    func string(_ name: MemberName) -> String? { value[name]?.text }

    func isPresent(_ name: MemberName) -> Bool { value[name] != nil }

    func number(_ name: MemberName) throws(QuarantineReason) -> Double? {
        do { return try value.optional(name, \.double) } catch { throw .unreadableNumber }
    }

    /// The entries of an array, with `nil` for an entry that isn't an object; `nil` when the field isn't an array.
    func objects(_ name: MemberName) -> [LooseFields?]? { value[name]?.list?.map { $0.object.map(LooseFields.init) } }

    func object(_ name: MemberName) throws(QuarantineReason) -> LooseFields? {
        do { return try value.optional(name, \.object).map(LooseFields.init) } catch { throw .unexpectedShape }
    }
}
