import Logging
import Pictures

/// Deletes the objects of removed pictures.
struct PictureCleanup: Sendable {
    let library: PictureLibrary
    let logger: Logger

    /// Deletes the objects after the commit. They are already recorded as garbage, so the next sweep deletes them if
    /// this one fails.
    func sweep() async throws {
        do {
            try await library.sweep(batches: 1)
        } catch {
            logger.warning("objects could not be swept after a deletion", metadata: ["error": "\(error)"])
        }
    }
}
