import Kernel

/// The object keys of a picture's files.
enum PictureObjects {
    // The end of an id is random, so pictures spread evenly over 256 folders.
    private static let shardCharacters = 2

    static func key(of id: ID<Picture>, _ size: PictureSize) -> String {
        "pictures/\(id.description.suffix(shardCharacters))/\(id)-\(size.rawValue).jpg"
    }

    static func keys(of id: ID<Picture>) -> [String] { PictureSize.allCases.map { key(of: id, $0) } }
}
