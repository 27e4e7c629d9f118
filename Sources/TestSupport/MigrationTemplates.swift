import Storage

/// What is made once for each list of migrations, because copying it is faster than running the migrations.
actor MigrationTemplates<Template: Sendable> {
    private var made: [[String]: Task<Template, any Error>] = [:]

    func template(
        for migrations: [Migration], make: @escaping @Sendable () async throws -> Template
    ) async throws -> Template {
        let key = migrations.map { "\($0.title) \($0.digest)" }
        let template = made[key] ?? Task { try await make() }
        made[key] = template
        return try await template.value
    }
}
