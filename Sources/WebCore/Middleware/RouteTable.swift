import HTTPTypes
import Kernel

/// The methods of all paths. A path is split once, by bytes, and compared with all routes in one walk.
struct RouteTable: Sendable {
    /// The routes that share the first segments of their patterns.
    private struct Node: Sendable {
        var segments: [MemberName: Int] = [:]
        /// The node after a segment of any text (`{id}`).
        var parameter: Int?
        var methods: Set<String> = []
        /// The methods of a pattern that ends with any number of segments (`**`), one at least.
        var methodsBelow: Set<String> = []
    }

    private var nodes = [Node()]

    init(_ routes: [RouteEntry] = []) {
        for route in routes { insert(route) }
    }

    private mutating func insert(_ route: RouteEntry) {
        var place = 0
        for segment in Self.segments(of: route.path) {
            if segment.elementsEqual("**".utf8) {
                nodes[place].methodsBelow.formUnion(route.methods)
                return
            }
            place = next(segment, after: place)
        }
        nodes[place].methods.formUnion(route.methods)
    }

    /// Returns the node of a pattern's segment, which it creates if there is none.
    private mutating func next(_ segment: Substring.UTF8View, after place: Int) -> Int {
        let name = MemberName(String(Substring(segment)))
        let isParameter = segment.first == UInt8(ascii: "{")
        if let known = isParameter ? nodes[place].parameter : nodes[place].segments[name] { return known }
        nodes.append(Node())
        if isParameter {
            nodes[place].parameter = nodes.count - 1
        } else {
            nodes[place].segments[name] = nodes.count - 1
        }
        return nodes.count - 1
    }

    /// Returns the methods of a path; empty for an unknown path.
    func methods(of path: String) -> Set<String> {
        var places = [0]
        var methods: Set<String> = []
        for segment in Self.segments(of: path) {
            guard !places.isEmpty else { return methods }
            let name = MemberName(String(Substring(segment)))
            for place in places { methods.formUnion(nodes[place].methodsBelow) }
            places = places.flatMap { [nodes[$0].segments[name], nodes[$0].parameter].compactMap(\.self) }
        }
        return places.reduce(into: methods) { $0.formUnion(nodes[$1].methods) }
    }

    private static func segments(of path: String) -> [Substring.UTF8View] {
        path.utf8.split(separator: UInt8(ascii: "/"))
    }
}
