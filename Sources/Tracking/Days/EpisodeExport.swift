import Kernel
import Storage

/// An item's stays and trips as a JSON array, created page by page while it is sent.
struct EpisodeExport: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    let item: ID<Item>
    let database: Database

    func makeAsyncIterator() -> Iterator { Iterator(item: item, database: database) }

    struct Iterator: AsyncIteratorProtocol {
        private enum Stage {
            case head
            case rows(after: Instant?)
            case done
        }

        fileprivate let item: ID<Item>
        fileprivate let database: Database
        private var stage = Stage.head

        fileprivate init(item: ID<Item>, database: Database) {
            self.item = item
            self.database = database
        }

        mutating func next() async throws -> [UInt8]? {
            switch stage {
            case .head:
                stage = .rows(after: nil)
                return Array("[".utf8)
            case .rows(let after):
                let item = item
                let page = try await database.read { tx in
                    try EpisodeStore.page(of: item, after: after, limit: Limits.episodesPerExportPart, in: tx)
                }
                let isLast = page.count < Limits.episodesPerExportPart
                stage = isLast ? .done : .rows(after: page.last?.startedAt)
                var bytes: [UInt8] = []
                for (index, episode) in page.enumerated() {
                    bytes += Array((after == nil && index == 0 ? "\n" : ",\n").utf8)
                    bytes += try ExportedEpisode(episode).json()
                }
                return bytes + (isLast ? Array("\n]\n".utf8) : [])
            case .done: return nil
            }
        }
    }
}

private struct ExportedEpisode: Encodable {
    let kind: String
    let startedAt: Instant
    let endedAt: Instant
    let latitude: Double
    let longitude: Double
    let endLatitude: Double
    let endLongitude: Double
    let distance: Double

    init(_ episode: Episode) {
        kind = episode.kind.rawValue
        startedAt = episode.startedAt
        endedAt = episode.endedAt
        latitude = episode.place.latitude
        longitude = episode.place.longitude
        endLatitude = episode.destination.latitude
        endLongitude = episode.destination.longitude
        distance = episode.distanceMetres
    }
}
