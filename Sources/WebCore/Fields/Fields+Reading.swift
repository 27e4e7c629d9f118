package import Kernel
import Foundation

extension Fields {
    /// Whether the name, or a name below it, occurs.
    package func contains(_ name: String) -> Bool { lookUp(name) != nil }

    /// Reads a text.
    package mutating func string(_ name: String) -> Field<String> {
        read(name, t("Enter text.")) { value in
            switch value {
            // PostgreSQL stores no U+0000 in texts, and people don't type it.
            case .text(let text), .typed(let text): text.utf8.contains(0) ? nil : text
            default: nil
            }
        }
    }

    /// Reads a whole number: `5`, `5.0` and `5e0`, but not `"5"` in JSON.
    /// - Parameter range: the accepted values, ends included; `nil` for all of 64 bits.
    package mutating func integer(_ name: String, in range: ClosedRange<Int64>? = nil) -> Field<Int64> {
        let field: Field<Int64> = read(name, t("Enter a whole number.")) { value in
            switch value {
            // A number with a fraction, or beyond 64 bits, is rejected, not rounded.
            case .whole(let whole): whole
            case .typed(let text): Int64(text.trimmingSpaces())
            default: nil
            }
        }
        guard let range, let value = field.value, !range.contains(value) else { return field }
        addError(name, Fields.outOfRange(range.lowerBound, range.upperBound, t))
        return .absent
    }

    /// Reads a finite number. A form may use a decimal comma.
    package mutating func double(_ name: String, in range: ClosedRange<Double>? = nil) -> Field<Double> {
        let field: Field<Double> = read(name, t("Enter a number.")) { value in
            switch value {
            case .whole(let whole): Double(whole)
            case .number(let number): number.isFinite ? number : nil
            case .typed(let text): Self.number(text)
            default: nil
            }
        }
        guard let range, let value = field.value, !range.contains(value) else { return field }
        addError(name, Fields.outOfRange(range.lowerBound, range.upperBound, t))
        return .absent
    }

    /// Reads a Boolean. In a form: `on`, `true`, `1`; `off`, `false`, `0`.
    package mutating func boolean(_ name: String) -> Field<Bool> {
        read(name, t("Choose yes or no.")) { value in
            switch value {
            case .boolean(let boolean): boolean
            case .typed("on"), .typed("true"), .typed("1"): true
            case .typed("off"), .typed("false"), .typed("0"): false
            default: nil
            }
        }
    }

    /// Reads an id.
    package mutating func id<Entity>(_ name: String, of _: Entity.Type) -> Field<ID<Entity>> {
        read(name, t("There is no such thing.")) { $0.plainText.flatMap { ID<Entity>($0) } }
    }

    /// Reads an RFC 3339 time with a zone.
    package mutating func instant(_ name: String) -> Field<Instant> {
        read(name, t("Enter a time such as 2026-03-01T12:00:00Z.")) { $0.plainText.flatMap { Instant(rfc3339: $0) } }
    }

    /// Reads one of a fixed set of words.
    package mutating func choice<Choice: RawRepresentable<String> & Sendable>(
        _ name: String, of _: Choice.Type
    ) -> Field<Choice> {
        read(name, t("Choose one of the choices given.")) { $0.plainText.flatMap { Choice(rawValue: $0) } }
    }

    /// Reads an uploaded file; `nil` when none was chosen, or for a field that isn't a file (which is noted as an
    /// error).
    package mutating func file(_ name: String) -> UploadedFile? {
        let field: Field<UploadedFile> = read(name, t("Choose a file.")) { value in
            if case .file(let file) = value { return file }
            return nil
        }
        return field.value
    }

    /// The text of a form's field, to fill the form in again; empty if absent.
    package func typed(_ name: String) -> String {
        if isForm { asked.insert(name) }
        return lookUp(name)?.plainText ?? ""
    }

    // MARK: Required

    /// Reads a required text; notes an error and returns an empty text if it is absent.
    package mutating func require(_ name: String) -> String { required(string(name), name) ?? "" }

    /// Reads a required whole number; notes an error and returns `nil` if it is absent.
    package mutating func requireInteger(_ name: String, in range: ClosedRange<Int64>? = nil) -> Int64? {
        required(integer(name, in: range), name)
    }

    /// Reads a required number; notes an error and returns `nil` if it is absent.
    package mutating func requireDouble(_ name: String, in range: ClosedRange<Double>? = nil) -> Double? {
        required(double(name, in: range), name)
    }

    /// Reads a required id; notes an error and returns `nil` if it is absent.
    package mutating func requireID<Entity>(_ name: String, of entity: Entity.Type) -> ID<Entity>? {
        required(id(name, of: entity), name)
    }

    /// Reads one of a fixed set of words, required; notes an error and returns `nil` if it is absent.
    package mutating func requireChoice<Choice: RawRepresentable<String> & Sendable>(
        _ name: String, of choice: Choice.Type
    ) -> Choice? {
        required(self.choice(name, of: choice), name)
    }

    private mutating func required<Value>(_ field: Field<Value>, _ name: String) -> Value? {
        if case .value(let value) = field { return value }
        addError(name, t("This is needed."))
        return nil
    }

    // MARK: Look-up

    mutating func read<Value>(
        _ name: String, _ message: String, _ convert: (FieldValue) -> Value?
    ) -> Field<Value> {
        asked.insert(name)
        switch lookUp(name) {
        case nil: return .absent
        case .null?: return .null
        case .typed("")?: return .null
        case .overmarked?:
            addError(name, t("Too many marks are on one letter. Remove some of them."))
            return .absent
        case let found?:
            if let value = convert(found) { return .value(value) }
            addError(name, message)
            return .absent
        }
    }

    func lookUp(_ name: String) -> FieldValue? {
        guard name.utf8.contains(UInt8(ascii: ".")) else { return members[MemberName(name)] }
        var level = members
        let steps = Self.steps(of: name)
        for (index, step) in steps.enumerated() {
            guard let value = level[step] else { return nil }
            if index == steps.count - 1 { return value }
            switch value {
            case .object(let inner): level = inner
            case .list(let values):
                guard let inner = Self.member(steps[index + 1], of: values) else { return nil }
                level = [steps[index + 1]: inner]
            // `{"settings": null}` clears all values below it.
            case .null: return .null
            // A value without members is wrong, not absent.
            default: return .unrepresentable
            }
        }
        return nil
    }

    /// An entry of a list by its index in a path: `levels.0.points`.
    private static func member(_ step: MemberName, of values: [FieldValue]) -> FieldValue? {
        guard let index = Int(step.text), values.indices.contains(index) else { return nil }
        return values[index]
    }

    static func outOfRange(_ low: some Numeric, _ high: some Numeric, _ t: Translator) -> String {
        // Numbers with a sign or a fraction are small.
        func text(_ number: some Numeric) -> String {
            let digits = "\(number)"
            return digits.utf8.allSatisfy { $0 >= UInt8(ascii: "0") } ? t.language.grouped(digits) : digits
        }
        return t("Enter a number from {low} to {high}.", ["low": text(low), "high": text(high)])
    }

    private static func number(_ text: String) -> Double? {
        let trimmed = text.trimmingSpaces()
        let plain = trimmed.contains(".") ? trimmed : trimmed.replacing(",", with: ".")
        guard let value = Double(plain), value.isFinite else { return nil }
        return value
    }
}

extension FieldValue {
    var plainText: String? {
        switch self {
        case .text(let text), .typed(let text): text
        default: nil
        }
    }
}
