@_spi(Reflection) import Swift

/// The type of a view model as templates see it: its stored properties. It needs no value, so that absent and empty
/// values are checked too.
struct ViewModelType: CustomStringConvertible {
    // The standard library's own name for this option is a variable, which strict concurrency rejects.
    private static let classType = _EachFieldOptions(rawValue: 1)

    let type: Any.Type
    /// The stored property that has this type, or contains values of it: `Module.Card.title`.
    private(set) var origin = ""

    init(type: Any.Type) { self.type = type }

    private init(_ type: Any.Type, _ origin: String) {
        self.type = type
        self.origin = origin
    }

    var description: String { "\(type)" }

    /// The type of a stored property; `nil` for an unknown name.
    func property(_ name: String) -> ViewModelType? {
        var found: ViewModelType?
        _ = _forEachField(of: type, options: type is AnyObject.Type ? Self.classType : []) { label, _, type, _ in
            guard String(cString: label) == name else { return true }
            found = ViewModelType(type, "\(String(reflecting: self.type)).\(name)")
            return false
        }
        return found
    }

    /// The wrapped type of an optional; the type itself otherwise.
    var unwrapped: ViewModelType { (type as? any MaybeAbsent.Type).map { ViewModelType($0.wrapped, origin) } ?? self }

    var isOptional: Bool { type is any MaybeAbsent.Type }

    /// The element type of a list; `nil` for another type.
    var element: ViewModelType? { (type as? any Listing.Type).map { ViewModelType($0.listed, origin) } }

    var isFlag: Bool { type == Bool.self }

    /// Whether the type can be printed: any other would print its Swift description.
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
