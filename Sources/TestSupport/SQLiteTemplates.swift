import Foundation
import Storage

/// SQLite files to which a list of migrations was applied. Copying one is faster than running the migrations.
actor SQLiteTemplates {
    static let shared = SQLiteTemplates()

    private var templates: [[String]: Task<Data, any Error>] = [:]

    func copy(for migrations: [Migration], to path: String) async throws {
        let key = migrations.map { "\($0.title) \($0.digest)" }
        let template = templates[key] ?? Task { try await Self.template(migrations) }
        templates[key] = template
        try await template.value.write(to: URL(fileURLWithPath: path))
    }

    private static func template(_ migrations: [Migration]) async throws -> Data {
        let folder = try TemporaryFolder()
        let path = folder.file("template.sqlite")
        let database = try await Database.open(
            .sqlite(path: path), migrations: migrations, logger: .silent, clock: TestClock())
        await database.close()
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }
}
