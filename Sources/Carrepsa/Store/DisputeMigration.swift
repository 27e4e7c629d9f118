import Storage

extension CarrepsaServices {
    /// Disputes with deadlines, offers, decisions and an appeal. Administrators can decide the open ones as before.
    static let disputes = """
        CREATE TABLE carrepsa_dispute (
            package_id {text} PRIMARY KEY REFERENCES carrepsa_package(id) ON DELETE CASCADE,
            kind {text} NOT NULL,
            statements_until {integer},
            awaited {text},
            offer_by {text},
            offer_reward {integer},
            offer_deposit {integer},
            outcome {text},
            decided_at {integer},
            decided_by {text} REFERENCES account(id) ON DELETE SET NULL,
            decision_reward {integer},
            decision_deposit {integer},
            effective_at {integer},
            accepted_by {text},
            appealed_by {text},
            appealed_at {integer},
            reminded_of {integer}
        ) {strict};
        CREATE INDEX carrepsa_dispute_statements ON carrepsa_dispute (statements_until, package_id)
            WHERE statements_until IS NOT NULL;
        CREATE INDEX carrepsa_dispute_effect ON carrepsa_dispute (effective_at, package_id)
            WHERE effective_at IS NOT NULL;
        CREATE INDEX carrepsa_dispute_decider ON carrepsa_dispute (decided_by) WHERE decided_by IS NOT NULL;
        INSERT INTO carrepsa_dispute (package_id, kind, statements_until)
            SELECT id, 'other', disputed_at + 259200000 FROM carrepsa_package
            WHERE state = 'travelling' AND disputed_at IS NOT NULL;
        ALTER TABLE carrepsa_story ADD COLUMN split_reward {integer};
        ALTER TABLE carrepsa_story ADD COLUMN split_deposit {integer};
        """

    /// The list of decided disputes reads the newest of them only.
    static let decidedDisputes = """
        CREATE INDEX carrepsa_dispute_decided ON carrepsa_dispute (decided_at, package_id) WHERE outcome IS NOT NULL;
        """
}
