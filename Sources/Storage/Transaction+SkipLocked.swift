extension Transaction {
    /// The end of a query that locks its rows and skips rows that another transaction has locked. SQLite needs no lock,
    /// because its transactions write one after another.
    package var forUpdateSkipLocked: SQL {
        switch dialect {
        case .sqlite: SQL()
        case .postgres: "FOR UPDATE SKIP LOCKED"
        }
    }
}
