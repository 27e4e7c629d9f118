import Kernel

/// The position of a paged export.
actor FamilyExportReader {
    typealias Page = (pieces: [[UInt8]], next: String?)

    private var children: ArraySlice<PersonID>
    private var after: String?
    private var hasBegun = false
    private var isFirst = true
    private var isOver = false

    init(children: [PersonID]) { self.children = children[...] }

    func next(
        _ page: @Sendable (PersonID, String?) async throws -> Page
    ) async throws -> [UInt8]? {
        guard !isOver else { return nil }
        var bytes: [UInt8] = []
        if !hasBegun { bytes.append(UInt8(ascii: "[")) }
        hasBegun = true
        guard let child = children.first else {
            isOver = true
            return bytes + Array("\n]\n".utf8)
        }
        let (pieces, next) = try await page(child, after)
        for piece in pieces {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            bytes.append(UInt8(ascii: "\n"))
            bytes += piece
        }
        after = next
        if next == nil { children = children.dropFirst() }
        return bytes
    }
}
