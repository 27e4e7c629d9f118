import Kernel
import Storage

/// The kept comparisons of a person's phones with items as a JSON array, created page by page while it is sent.
struct SeparationExport: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    let person: PersonID
    let database: Database

    func makeAsyncIterator() -> Iterator { Iterator(person: person, database: database) }

    struct Iterator: AsyncIteratorProtocol {
        private enum Stage {
            case head
            case rows(after: ID<SeparationHistory>?)
            case done
        }

        fileprivate let person: PersonID
        fileprivate let database: Database
        private var stage = Stage.head

        fileprivate init(person: PersonID, database: Database) {
            self.person = person
            self.database = database
        }

        mutating func next() async throws -> [UInt8]? {
            switch stage {
            case .head:
                stage = .rows(after: nil)
                return Array("[".utf8)
            case .rows(let after):
                let person = person
                let page = try await database.read { tx in
                    try SeparationHistoryStore.page(of: person, after: after, in: tx)
                }
                let isLast = page.count < Limits.separationHistoryPage
                stage = isLast ? .done : .rows(after: page.last?.id)
                var bytes: [UInt8] = []
                var isFirst = after == nil
                for entry in page {
                    for evaluation in entry.run.evaluations {
                        bytes += Array((isFirst ? "\n" : ",\n").utf8)
                        bytes += try ExportedComparison(evaluation.seen, item: entry.item).json()
                        isFirst = false
                    }
                }
                return bytes + (isLast ? Array("\n]\n".utf8) : [])
            case .done: return nil
            }
        }
    }
}

/// One comparison, without what the server knows of other people's phones.
private struct ExportedComparison: Encodable {
    struct Phone: Encodable {
        let at: Instant
        let distanceMetres: Double
        let accuracyMetres: Double?
        let speedMetresPerSecond: Double?
    }

    let itemId: ID<Item>
    let at: Instant
    let itemAt: Instant
    let itemAccuracyMetres: Double?
    let itemSpeedMetresPerSecond: Double?
    let phones: [Phone]

    init(_ seen: SeparationObservation, item: ID<Item>) {
        itemId = item
        at = seen.now
        itemAt = seen.itemAt
        itemAccuracyMetres = seen.itemAccuracyMetres
        itemSpeedMetresPerSecond = seen.itemSpeedMetresPerSecond
        phones = seen.phones.map {
            Phone(
                at: $0.at, distanceMetres: $0.distanceMetres, accuracyMetres: $0.accuracyMetres,
                speedMetresPerSecond: $0.speedMetresPerSecond)
        }
    }
}
