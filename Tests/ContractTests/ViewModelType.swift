@_spi(Reflection) import Swift

/// A type of a view model as templates see it: its stored properties, without needing a value of it, so that what is
/// absent or empty today is checked too.
struct ViewModelType: CustomStringConvertible {
    // The standard library's own name for it is a variable, which strict concurrency refuses.
    private static let classType = _EachFieldOptions(rawValue: 1)

    let type: Any.Type
    /// The stored property that has this type, or holds values of it: `Module.Card.title`.
    private(set) var origin = ""

    init(type: Any.Type) { self.type = type }

    private init(_ type: Any.Type, _ origin: String) {
        self.type = type
        self.origin = origin
    }

    var description: String { "\(type)" }

    /// The type of a stored property; `nil` when there is none of that name.
    func property(_ name: String) -> ViewModelType? {
        var found: ViewModelType?
        _ = _forEachField(of: type, options: type is AnyObject.Type ? Self.classType : []) { label, _, type, _ in
            guard String(cString: label) == name else { return true }
            found = ViewModelType(type, "\(String(reflecting: self.type)).\(name)")
            return false
        }
        return found
    }

    /// What an optional holds; itself for another type.
    var unwrapped: ViewModelType { (type as? any MaybeAbsent.Type).map { ViewModelType($0.wrapped, origin) } ?? self }

    var isOptional: Bool { type is any MaybeAbsent.Type }

    /// What a list holds; `nil` for another type.
    var element: ViewModelType? { (type as? any Listing.Type).map { ViewModelType($0.listed, origin) } }

    var isFlag: Bool { type == Bool.self }

    /// Ready to print: anything else would print as Swift describes it.
    var isText: Bool { type == String.self || type == Int.self || type == Int64.self }
}

private protocol MaybeAbsent {
    static var wrapped: Any.Type { get }
}

extension Optional: MaybeAbsent {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}

private protocol Listing {
    static var listed: Any.Type { get }
}

extension Array: Listing {
    fileprivate static var listed: Any.Type { Element.self }
}
