/// A page of a bucket's list (ListObjectsV2).
struct S3ObjectList: Equatable {
    let keys: [String]
    /// The continuation token of the next page; `nil` after the last.
    let next: String?

    init(_ bytes: [UInt8]) throws(ObjectStoreError) {
        let leaves: [S3XMLParser.Leaf]
        do {
            leaves = try S3XMLParser.leaves(bytes)
        } catch {
            throw .unreadable("list")
        }
        func text(_ name: String) -> String? { leaves.first { $0.path == "ListBucketResult/\(name)" }?.text }
        guard let isTruncated = text("IsTruncated") else { throw .unreadable("list") }
        let isEncoded = text("EncodingType") == "url"
        var keys: [String] = []
        for leaf in leaves where leaf.path == "ListBucketResult/Contents/Key" {
            guard let key = isEncoded ? S3KeyDecoding.decoded(leaf.text) : leaf.text else {
                throw .unreadable("key")
            }
            keys.append(key)
        }
        self.keys = keys
        next = isTruncated == "true" ? text("NextContinuationToken") : nil
        if isTruncated == "true", next?.isEmpty ?? true { throw .unreadable("continuation") }
    }
}
