extension CarrepsaServices {
    /// `carrepsa_payment_instructions` has at most one row. A person has at most one open payout request.
    static let money = """
        CREATE TABLE carrepsa_payment_instructions (
            id {integer} PRIMARY KEY CHECK (id = 1),
            top_up_text {text},
            payout_text {text},
            account_holder {text},
            iban {text},
            bic {text},
            version {integer} NOT NULL CHECK (version >= 1),
            changed_at {integer} NOT NULL
        ) {strict};
        CREATE TABLE carrepsa_payment_reference (
            account_id {text} PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE,
            reference {text} NOT NULL UNIQUE
        ) {strict-rowless};
        CREATE TABLE carrepsa_payout_request (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            amount {integer} NOT NULL CHECK (amount > 0),
            destination {text} NOT NULL,
            state {text} NOT NULL CHECK (state IN ('open', 'paid', 'declined', 'withdrawn')),
            reason {text},
            transfer_id {text},
            created_at {integer} NOT NULL,
            ended_at {integer},
            version {integer} NOT NULL CHECK (version >= 1),
            CHECK ((state = 'open') = (ended_at IS NULL))
        ) {strict};
        CREATE UNIQUE INDEX carrepsa_payout_request_open ON carrepsa_payout_request (account_id)
            WHERE state = 'open';
        CREATE INDEX carrepsa_payout_request_account ON carrepsa_payout_request (account_id, id);
        CREATE INDEX carrepsa_payout_request_waiting ON carrepsa_payout_request (id) WHERE state = 'open'
        """

    /// Without a reference to the account: the rows stay when it is deleted.
    static let welcomedAddresses = """
        CREATE TABLE carrepsa_welcomed_address (
            mark {blob} PRIMARY KEY,
            at {integer} NOT NULL
        ) {strict-rowless}
        """
}
