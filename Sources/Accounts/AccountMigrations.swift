package import Storage

extension AccountServices {
    /// The migrations of this module, in order. They require the tables of the picture module.
    package static let migrations: [Migration] = [
        Migration(
            module: "accounts", name: "0001-accounts",
            sql: """
                CREATE TABLE account (
                    id {text} PRIMARY KEY,
                    role {text} NOT NULL CHECK (role IN ('adult', 'child')),
                    email {text},
                    email_key {text} UNIQUE,
                    email_verified_at {integer},
                    password {text},
                    name {text} NOT NULL,
                    phone {text},
                    date_of_birth {text},
                    theme {text} NOT NULL,
                    avatar_picture_id {text} REFERENCES picture(id),
                    maps_app {text} CHECK (maps_app IN ('apple', 'google')),
                    language {text},
                    is_operator {integer} NOT NULL DEFAULT 0 CHECK (is_operator IN (0, 1)),
                    version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
                    created_at {integer} NOT NULL,
                    CHECK ((email IS NULL) = (email_key IS NULL)),
                    CHECK (role = 'child' OR email IS NOT NULL)
                ) {strict};
                CREATE INDEX account_avatar ON account (avatar_picture_id);
                CREATE TABLE session (
                    id {text} PRIMARY KEY,
                    account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                    token_hash {blob} NOT NULL UNIQUE,
                    kind {text} NOT NULL CHECK (kind IN ('cookie', 'bearer')),
                    name {text} NOT NULL,
                    signed_in_by {text} NOT NULL CHECK (signed_in_by IN ('password')),
                    created_at {integer} NOT NULL,
                    last_used_at {integer} NOT NULL
                ) {strict};
                CREATE INDEX session_account ON session (account_id, id);
                CREATE INDEX session_last_used ON session (last_used_at);
                CREATE TABLE throttle (
                    key {text} PRIMARY KEY,
                    failures {text} NOT NULL,
                    expires_at {integer} NOT NULL
                ) {strict};
                CREATE INDEX throttle_expiry ON throttle (expires_at);
                CREATE TABLE password_reset (
                    code_hash {blob} PRIMARY KEY,
                    account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                    expires_at {integer} NOT NULL
                ) {strict};
                CREATE INDEX password_reset_account ON password_reset (account_id);
                CREATE INDEX password_reset_expiry ON password_reset (expires_at);
                CREATE TABLE email_verification (
                    code_hash {blob} PRIMARY KEY,
                    account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                    email_key {text} NOT NULL,
                    expires_at {integer} NOT NULL
                ) {strict};
                CREATE INDEX email_verification_account ON email_verification (account_id);
                CREATE INDEX email_verification_expiry ON email_verification (expires_at)
                """
        ),
        childrenAndProviders, identityMigration, appLockMigration, passkeyMigration, appearanceMigration,
        proofMigration, mailQueueMigration, registrationMigration, familyProofMigration,
        erasureProofMigration, administrationMigration, administrationProofMigration, mailLogMigration,
        accessTokenMigration, accessTokenProofMigration,
        importMigration, positionSharingMigration, itemManagementProofMigration, foldedNameMigration,
        resetCreatorMigration,
    ]

    /// Names for the search of administrators. Those of earlier versions are folded by ``AccountHousekeeping``.
    private static let foldedNameMigration = Migration(
        module: "accounts", name: "0020-folded-names",
        sql: """
            ALTER TABLE account ADD COLUMN name_folded {text};
            CREATE INDEX account_name_folded ON account (name_folded, id)
            """
    )

    /// Links that administrators create end with their rights.
    private static let resetCreatorMigration = Migration(
        module: "accounts", name: "0021-reset-creators",
        sql: "ALTER TABLE password_reset ADD COLUMN created_by {text}"
    )

    private static let mailQueueMigration = Migration(
        module: "accounts", name: "0008-mail-queue",
        sql: """
            CREATE TABLE mail_queue (
                id {text} PRIMARY KEY,
                lane {text} NOT NULL CHECK (lane IN ('account', 'security')),
                sealed {blob} NOT NULL,
                attempts {integer} NOT NULL,
                due_at {integer} NOT NULL,
                created_at {integer} NOT NULL,
                expires_at {integer} NOT NULL
            ) {strict};
            CREATE INDEX mail_queue_due ON mail_queue (lane, due_at, id);
            CREATE INDEX mail_queue_expiry ON mail_queue (expires_at)
            """
    )

    private static let registrationMigration = Migration(
        module: "accounts", name: "0009-registration",
        sql: """
            CREATE TABLE registration_invitation (
                code_hash {blob} PRIMARY KEY,
                expires_at {integer} NOT NULL
            ) {strict};
            CREATE INDEX registration_invitation_expiry ON registration_invitation (expires_at)
            """
    )

    private static let appearanceMigration = Migration(
        module: "accounts", name: "0006-appearance",
        sql: """
            ALTER TABLE account ADD COLUMN appearance {text} NOT NULL DEFAULT 'system'
                CHECK (appearance IN ('system', 'light', 'dark'))
            """
    )

    // Adults who sign in through an identity provider may have no email, and children never have one. A session can
    // begin without a password.
    private static let childrenAndProviders = Migration(
        module: "accounts", name: "0002-children-and-providers",
        rebuildingOnSQLite: """
            CREATE TABLE account_new (
                id {text} PRIMARY KEY,
                role {text} NOT NULL CHECK (role IN ('adult', 'child')),
                email {text},
                email_key {text} UNIQUE,
                email_verified_at {integer},
                password {text},
                name {text} NOT NULL,
                phone {text},
                date_of_birth {text},
                theme {text} NOT NULL,
                avatar_picture_id {text} REFERENCES picture(id),
                maps_app {text} CHECK (maps_app IN ('apple', 'google')),
                language {text},
                is_operator {integer} NOT NULL DEFAULT 0 CHECK (is_operator IN (0, 1)),
                version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
                created_at {integer} NOT NULL,
                CHECK ((email IS NULL) = (email_key IS NULL)),
                CHECK (role = 'adult' OR (email IS NULL AND password IS NULL))
            ) {strict};
            INSERT INTO account_new (
                id, role, email, email_key, email_verified_at, password, name, phone, date_of_birth, theme,
                avatar_picture_id, maps_app, language, is_operator, version, created_at
            ) SELECT
                id, role, email, email_key, email_verified_at, password, name, phone, date_of_birth, theme,
                avatar_picture_id, maps_app, language, is_operator, version, created_at
            FROM account;
            DROP TABLE account;
            ALTER TABLE account_new RENAME TO account;
            CREATE INDEX account_avatar ON account (avatar_picture_id);
            CREATE TABLE session_new (
                id {text} PRIMARY KEY,
                account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                token_hash {blob} NOT NULL UNIQUE,
                kind {text} NOT NULL CHECK (kind IN ('cookie', 'bearer')),
                name {text} NOT NULL,
                signed_in_by {text} NOT NULL CHECK (signed_in_by IN ('password', 'code', 'provider', 'passkey')),
                created_at {integer} NOT NULL,
                last_used_at {integer} NOT NULL
            ) {strict};
            INSERT INTO session_new (
                id, account_id, token_hash, kind, name, signed_in_by, created_at, last_used_at
            ) SELECT id, account_id, token_hash, kind, name, signed_in_by, created_at, last_used_at FROM session;
            DROP TABLE session;
            ALTER TABLE session_new RENAME TO session;
            CREATE INDEX session_account ON session (account_id, id);
            CREATE INDEX session_last_used ON session (last_used_at)
            """,
        alteringOnPostgres: """
            ALTER TABLE account DROP CONSTRAINT account_check1;
            ALTER TABLE account ADD CONSTRAINT account_child
                CHECK (role = 'adult' OR (email IS NULL AND password IS NULL));
            ALTER TABLE session DROP CONSTRAINT session_signed_in_by_check;
            ALTER TABLE session ADD CONSTRAINT session_signed_in_by_check
                CHECK (signed_in_by IN ('password', 'code', 'provider', 'passkey'))
            """
    )
}
