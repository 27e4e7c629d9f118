package import Storage

extension Ledger {
    /// The migrations of this module; they don't depend on other modules' tables.
    package static let migrations: [Migration] = [
        Migration(module: "ledger", name: "0001-ledger", sql: tables),
        Migration(module: "ledger", name: "0002-few-constraints-in-postgres", onlyOnPostgres: fewConstraints),
        Migration(module: "ledger", name: "0003-verifications", sql: verifications),
    ]

    /// The transfer is the record: its digest covers its postings too. `ledger_posting` has the same postings by
    /// account. `batch` has no foreign key, because verification checks the batch's signed member list in both
    /// directions.
    private static let tables = """
        CREATE TABLE ledger_account (
            id {text} PRIMARY KEY CHECK (length(id) BETWEEN 3 AND 61),
            unit {text} NOT NULL CHECK (length(unit) BETWEEN 1 AND 20),
            may_overdraw {integer} NOT NULL CHECK (may_overdraw IN (0, 1)),
            balance {integer} NOT NULL CHECK (balance >= 0 OR may_overdraw = 1),
            movements {integer} NOT NULL CHECK (movements >= 0),
            opened_at {integer} NOT NULL,
            digest {blob} NOT NULL CHECK (length(digest) = 32)
        ) {strict-rowless};
        CREATE TABLE ledger_transfer (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            kind {text} NOT NULL CHECK (length(kind) BETWEEN 1 AND 40),
            subject {text} CHECK (length(subject) BETWEEN 1 AND 100),
            at {integer} NOT NULL,
            reverses {text} REFERENCES ledger_transfer(id),
            legs {text} NOT NULL CHECK (length(legs) > 0),
            digest {blob} NOT NULL CHECK (length(digest) = 32),
            batch {integer} CHECK (batch >= 1)
        ) {strict-rowless};
        CREATE INDEX ledger_transfer_by_batch ON ledger_transfer (batch, id);
        CREATE INDEX ledger_transfer_by_subject ON ledger_transfer (subject, at, id) WHERE subject IS NOT NULL;
        CREATE UNIQUE INDEX ledger_transfer_by_reversed ON ledger_transfer (reverses) WHERE reverses IS NOT NULL;
        CREATE TABLE ledger_posting (
            account {text} NOT NULL REFERENCES ledger_account(id),
            sequence {integer} NOT NULL CHECK (sequence >= 1),
            transfer {text} NOT NULL REFERENCES ledger_transfer(id),
            amount {integer} NOT NULL CHECK (amount <> 0),
            balance_after {integer} NOT NULL,
            PRIMARY KEY (account, sequence)
        ) {strict-rowless};
        CREATE TABLE ledger_batch (
            number {integer} PRIMARY KEY CHECK (number >= 1),
            previous {blob} NOT NULL CHECK (length(previous) = 32),
            members {text} NOT NULL,
            digest {blob} NOT NULL CHECK (length(digest) = 32),
            count {integer} NOT NULL CHECK (count >= 1),
            sealed_at {integer} NOT NULL,
            signature {blob} NOT NULL CHECK (length(signature) = 64)
        ) {strict};
        """

    /// The results of verifications, which aren't part of the ledger.
    private static let verifications = """
        CREATE TABLE ledger_verification (
            id {text} PRIMARY KEY,
            started_at {integer} NOT NULL,
            finished_at {integer} NOT NULL,
            result {text} NOT NULL,
            transfers {integer} NOT NULL,
            postings {integer} NOT NULL,
            batches {integer} NOT NULL,
            findings {integer} NOT NULL,
            reason {text}
        ) {strict}
        """

    /// Only the check of the balance remains: docs/decisions/0047.
    private static let fewConstraints = """
        ALTER TABLE ledger_account
            DROP CONSTRAINT IF EXISTS ledger_account_digest_check,
            DROP CONSTRAINT IF EXISTS ledger_account_id_check,
            DROP CONSTRAINT IF EXISTS ledger_account_may_overdraw_check,
            DROP CONSTRAINT IF EXISTS ledger_account_movements_check,
            DROP CONSTRAINT IF EXISTS ledger_account_unit_check;
        ALTER TABLE ledger_transfer
            DROP CONSTRAINT IF EXISTS ledger_transfer_batch_check,
            DROP CONSTRAINT IF EXISTS ledger_transfer_digest_check,
            DROP CONSTRAINT IF EXISTS ledger_transfer_id_check,
            DROP CONSTRAINT IF EXISTS ledger_transfer_kind_check,
            DROP CONSTRAINT IF EXISTS ledger_transfer_legs_check,
            DROP CONSTRAINT IF EXISTS ledger_transfer_subject_check;
        ALTER TABLE ledger_posting
            DROP CONSTRAINT IF EXISTS ledger_posting_amount_check,
            DROP CONSTRAINT IF EXISTS ledger_posting_sequence_check,
            DROP CONSTRAINT IF EXISTS ledger_posting_account_fkey,
            DROP CONSTRAINT IF EXISTS ledger_posting_transfer_fkey;
        """
}
