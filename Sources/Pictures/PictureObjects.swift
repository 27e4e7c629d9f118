import Kernel

/// Where a picture's files are in the object store.
enum PictureObjects {
    // The id's end is random: 256 folders of about the same size.
    private static let shardCharacters = 2

    static func key(of id: ID<Picture>, _ size: PictureSize) -> String {
        "pictures/\(id.description.suffix(shardCharacters))/\(id)-\(size.rawValue).jpg"
    }

    static func keys(of id: ID<Picture>) -> [String] { PictureSize.allCases.map { key(of: id, $0) } }
}
