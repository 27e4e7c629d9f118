/// A type that returns its properties by name, so that a template needs no reflection. It is for types with many
/// values on one page. A test compares the names with the stored properties.
package protocol TemplateLookup {
    /// Returns the property that a tag names.
    func child(named name: String) -> Any?
}

extension Dictionary: TemplateLookup where Key == String {
    /// Returns the value of a key.
    package func child(named name: String) -> Any? { self[name] }
}

/// A value as a template sees it.
enum TemplateValue {
    case flag(Bool)
    case text(String)
    case list([Any])
    case object(TemplateObject)

    /// Returns `nil` for an optional without a value.
    init?(_ value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let flag as Bool: self = .flag(flag)
        case let number as Int: self = .text(String(number))
        case let optional as any OptionalValue:
            guard let wrapped = optional.wrapped else { return nil }
            self.init(wrapped)
        case let list as any ListValue: self = .list(list.entries)
        default: self = .object(TemplateObject(value))
        }
    }

    /// The text that a tag prints, without escaping.
    var printed: String {
        switch self {
        case .flag(let flag): String(flag)
        case .text(let text): text
        case .list(let entries): String(describing: entries)
        case .object(let object): String(describing: object.value)
        }
    }
}

/// A value with properties. Reflection reads all of them at once, so it is done once for each value.
final class TemplateObject {
    fileprivate let value: Any
    private let lookup: (any TemplateLookup)?
    private var properties: [Property]?

    private enum Property {
        case unread(Any)
        case read(TemplateValue?)
    }

    fileprivate init(_ value: Any) {
        self.value = value
        lookup = value as? any TemplateLookup
    }

    /// Returns a property; `nil` for one that the type doesn't have, and for an optional without a value.
    func property(_ name: String, _ types: inout TemplateTypes) -> TemplateValue? {
        if let lookup { return lookup.child(named: name).flatMap(TemplateValue.init) }
        let properties = properties ?? reflected(&types)
        guard let index = types.index(of: name, in: type(of: value)), index < properties.count else { return nil }
        switch properties[index] {
        case .read(let value): return value
        case .unread(let value):
            let read = TemplateValue(value)
            self.properties?[index] = .read(read)
            return read
        }
    }

    private func reflected(_ types: inout TemplateTypes) -> [Property] {
        let children = Mirror(reflecting: value).children
        types.add(type(of: value)) { children.map { $0.label ?? "" } }
        let properties = children.map { Property.unread($0.value) }
        self.properties = properties
        return properties
    }
}

/// The names of the stored properties of the types on one page.
struct TemplateTypes {
    private var indexes: [ObjectIdentifier: [String: Int]] = [:]

    func index(of name: String, in type: Any.Type) -> Int? { indexes[ObjectIdentifier(type)]?[name] }

    mutating func add(_ type: Any.Type, names: () -> [String]) {
        guard indexes[ObjectIdentifier(type)] == nil else { return }
        indexes[ObjectIdentifier(type)] = Dictionary(
            names().enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }
}

private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { map { $0 as Any } }
}

private protocol ListValue {
    var entries: [Any] { get }
}

extension Array: ListValue {
    fileprivate var entries: [Any] { map { $0 as Any } }
}
