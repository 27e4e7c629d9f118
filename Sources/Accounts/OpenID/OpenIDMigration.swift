import Storage

extension AccountServices {
    /// The tables of linked identities and of attempts to sign in through a provider.
    ///
    /// The secrets of attempts and the codes of offers are stored only as hashes, and the destination only sealed by
    /// those secrets. The hash of a network doesn't protect against trying all addresses. An offer contains issuer,
    /// subject and email, as an identity does. Attempts and offers expire after ten minutes.
    static let identityMigration = Migration(
        module: "accounts", name: "0003-identities",
        sql: """
            ALTER TABLE account ADD COLUMN made_by_provider {integer} NOT NULL DEFAULT 0
                CHECK (made_by_provider IN (0, 1));
            CREATE TABLE identity (
                provider {text} NOT NULL CHECK (provider IN ('apple', 'google', 'facebook', 'oidc')),
                issuer {text} NOT NULL,
                subject {text} NOT NULL,
                account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                email {text},
                linked_at {integer} NOT NULL,
                PRIMARY KEY (provider, issuer, subject),
                UNIQUE (account_id, provider)
            ) {strict-rowless};
            CREATE TABLE provider_attempt (
                state_hash {blob} PRIMARY KEY,
                browser_hash {blob} NOT NULL,
                network_hash {blob} NOT NULL,
                provider {text} NOT NULL CHECK (provider IN ('apple', 'google', 'facebook', 'oidc')),
                purpose {text} NOT NULL CHECK (purpose IN ('sign-in', 'link', 'confirm')),
                account_id {text} REFERENCES account(id) ON DELETE CASCADE,
                session_id {text} REFERENCES session(id) ON DELETE CASCADE,
                offer_hash {blob},
                destination {text} NOT NULL,
                begun_at {integer} NOT NULL,
                expires_at {integer} NOT NULL,
                CHECK ((purpose = 'sign-in') = (account_id IS NULL)),
                CHECK ((account_id IS NULL) = (session_id IS NULL)),
                CHECK (offer_hash IS NULL OR purpose = 'sign-in')
            ) {strict};
            CREATE INDEX provider_attempt_network ON provider_attempt (network_hash);
            CREATE INDEX provider_attempt_account ON provider_attempt (account_id);
            CREATE INDEX provider_attempt_session ON provider_attempt (session_id);
            CREATE INDEX provider_attempt_expiry ON provider_attempt (expires_at);
            CREATE TABLE identity_offer (
                code_hash {blob} PRIMARY KEY,
                account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                provider {text} NOT NULL CHECK (provider IN ('apple', 'google', 'facebook', 'oidc')),
                issuer {text} NOT NULL,
                subject {text} NOT NULL,
                email {text},
                expires_at {integer} NOT NULL
            ) {strict};
            CREATE INDEX identity_offer_account ON identity_offer (account_id);
            CREATE INDEX identity_offer_expiry ON identity_offer (expires_at);
            CREATE TABLE identity_confirmation (
                session_id {text} PRIMARY KEY REFERENCES session(id) ON DELETE CASCADE,
                expires_at {integer} NOT NULL
            ) {strict};
            CREATE INDEX identity_confirmation_expiry ON identity_confirmation (expires_at)
            """
    )
}
