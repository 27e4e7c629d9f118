import Foundation
import Storage

/// SQLite files to which a list of migrations was applied.
enum SQLiteTemplates {
    private static let templates = MigrationTemplates<Data>()

    static func copy(for migrations: [Migration], to path: String) async throws {
        let template = try await templates.template(for: migrations) {
            let folder = try TemporaryFolder()
            let path = folder.file("template.sqlite")
            let database = try await Database.open(
                .sqlite(path: path), migrations: migrations, logger: .silent, clock: TestClock())
            await database.close()
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        try template.write(to: URL(fileURLWithPath: path))
    }
}
