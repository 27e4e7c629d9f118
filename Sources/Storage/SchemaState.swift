/// How the schema of a database compares with this program's.
package enum SchemaState: Sendable, Equatable {
    case current
    /// A program of a later version has changed the schema. Contains the unknown migrations.
    case newer([String])
    /// Migrations are missing, or differ from those of this program.
    case different(String)

    /// Compares the migrations of all modules with those that were applied.
    package init(of migrations: [Migration], in tx: Transaction) throws {
        do {
            let plan = try MigrationPlan(
                migrations, applied: try MigrationPlan.applied(in: tx), dialect: tx.dialect)
            self = plan.pending.first.map { .different($0.title) } ?? .current
        } catch StorageError.schemaNewer(let titles) {
            self = .newer(titles)
        } catch StorageError.migrationChanged(let title) {
            self = .different(title)
        }
    }
}
