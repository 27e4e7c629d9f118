import Kernel
import Storage

extension Row {
    /// The position in the columns `latitude` and `longitude`.
    func coordinate() throws -> Coordinate {
        guard let coordinate = Coordinate(latitude: try get("latitude"), longitude: try get("longitude")) else {
            throw StorageError.column("latitude", problem: "holds no place")
        }
        return coordinate
    }
}
