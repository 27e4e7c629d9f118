package import Storage

extension CarrepsaServices {
    /// The migrations of this module. Those of accounts, pictures and the ledger run before.
    package static let migrations: [Migration] = [
        Migration(
            module: "carrepsa", name: "0001-packages",
            sql: """
                CREATE TABLE carrepsa_package (
                    id {text} PRIMARY KEY,
                    owner_id {text} REFERENCES account(id),
                    carrier_id {text} REFERENCES account(id),
                    title {text} NOT NULL,
                    origin {text} NOT NULL,
                    origin_folded {text} NOT NULL,
                    destination {text} NOT NULL,
                    destination_folded {text} NOT NULL,
                    weight_grams {integer} NOT NULL CHECK (weight_grams > 0),
                    reward {integer} NOT NULL CHECK (reward > 0),
                    money_lock {integer} NOT NULL CHECK (money_lock > 0),
                    description {text},
                    picture_id {text} REFERENCES picture(id) ON DELETE SET NULL,
                    deadline_at {integer},
                    state {text} NOT NULL
                        CHECK (state IN ('available', 'accepted', 'travelling', 'delivered', 'cancelled')),
                    reward_held {integer} NOT NULL CHECK (reward_held IN (0, 1)),
                    created_at {integer} NOT NULL,
                    accepted_at {integer},
                    picked_up_at {integer},
                    finished_at {integer},
                    withdrawn_at {integer},
                    delivery_reported_at {integer},
                    cancellation_requested_by {text} CHECK (cancellation_requested_by IN ('owner', 'carrier')),
                    disputed_at {integer},
                    disputed_by {text} CHECK (disputed_by IN ('owner', 'carrier', 'clock')),
                    dispute_reason {text},
                    version {integer} NOT NULL CHECK (version >= 1),
                    CHECK (owner_id <> carrier_id),
                    CHECK (state IN ('delivered', 'cancelled') OR owner_id IS NOT NULL),
                    CHECK (state <> 'available' OR (carrier_id IS NULL AND accepted_at IS NULL)),
                    CHECK (state NOT IN ('accepted', 'travelling')
                        OR (carrier_id IS NOT NULL AND accepted_at IS NOT NULL AND reward_held = 1)),
                    CHECK (state <> 'travelling' OR picked_up_at IS NOT NULL),
                    CHECK ((state IN ('delivered', 'cancelled')) = (finished_at IS NOT NULL)),
                    CHECK (finished_at IS NULL OR reward_held = 0),
                    CHECK (withdrawn_at IS NULL OR state = 'cancelled'),
                    CHECK ((disputed_at IS NULL) = (disputed_by IS NULL))
                ) {strict};
                CREATE INDEX carrepsa_package_owner ON carrepsa_package (owner_id, id);
                CREATE INDEX carrepsa_package_carrier ON carrepsa_package (carrier_id, id) WHERE carrier_id IS NOT NULL;
                CREATE INDEX carrepsa_package_owner_live ON carrepsa_package (owner_id, id)
                    WHERE finished_at IS NULL;
                CREATE INDEX carrepsa_package_carrier_live ON carrepsa_package (carrier_id, id)
                    WHERE carrier_id IS NOT NULL AND finished_at IS NULL;
                CREATE INDEX carrepsa_package_offers ON carrepsa_package (id) WHERE state = 'available';
                CREATE INDEX carrepsa_package_due ON carrepsa_package (deadline_at)
                    WHERE state = 'accepted' AND deadline_at IS NOT NULL;
                CREATE INDEX carrepsa_package_reported ON carrepsa_package (delivery_reported_at)
                    WHERE state = 'travelling' AND delivery_reported_at IS NOT NULL AND disputed_at IS NULL;
                CREATE INDEX carrepsa_package_disputed ON carrepsa_package (disputed_at, id)
                    WHERE state = 'travelling' AND disputed_at IS NOT NULL;
                CREATE INDEX carrepsa_package_picture ON carrepsa_package (picture_id) WHERE picture_id IS NOT NULL;
                CREATE TABLE carrepsa_story (
                    package_id {text} NOT NULL REFERENCES carrepsa_package(id) ON DELETE CASCADE,
                    number {integer} NOT NULL,
                    at {integer} NOT NULL,
                    event {text} NOT NULL,
                    role {text} NOT NULL CHECK (role IN ('owner', 'carrier', 'stranger', 'operator', 'clock')),
                    person_id {text} REFERENCES account(id) ON DELETE SET NULL,
                    note {text},
                    PRIMARY KEY (package_id, number)
                ) {strict-rowless};
                CREATE INDEX carrepsa_story_person ON carrepsa_story (person_id) WHERE person_id IS NOT NULL;
                CREATE TABLE carrepsa_handover_code (
                    package_id {text} NOT NULL REFERENCES carrepsa_package(id) ON DELETE CASCADE,
                    step {text} NOT NULL CHECK (step IN ('pickup', 'delivery')),
                    side {text} NOT NULL CHECK (side IN ('owner', 'carrier')),
                    mark {blob} NOT NULL,
                    expires_at {integer} NOT NULL,
                    PRIMARY KEY (package_id, step, side)
                ) {strict-rowless};
                CREATE INDEX carrepsa_handover_code_expiry ON carrepsa_handover_code (expires_at);
                """
        ),
        Migration(
            module: "carrepsa", name: "0002-lapsed-offers",
            sql: """
                CREATE INDEX carrepsa_package_lapsed ON carrepsa_package (deadline_at)
                    WHERE state = 'available' AND reward_held = 1 AND deadline_at IS NOT NULL;
                """
        ),
        Migration(
            module: "carrepsa", name: "0003-reminders",
            sql: """
                ALTER TABLE carrepsa_package ADD COLUMN reminded_of {integer};
                """
        ),
        Migration(
            module: "carrepsa", name: "0004-statements",
            sql: """
                ALTER TABLE carrepsa_package ADD COLUMN owner_statements {integer} NOT NULL DEFAULT 0;
                ALTER TABLE carrepsa_package ADD COLUMN carrier_statements {integer} NOT NULL DEFAULT 0;
                """
        ),
        // docs/decisions/0047
        Migration(
            module: "carrepsa", name: "0005-no-checks-in-postgres",
            onlyOnPostgres: """
                ALTER TABLE carrepsa_package
                    DROP CONSTRAINT IF EXISTS carrepsa_package_cancellation_requested_by_check,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_check,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_check1,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_check2,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_check3,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_check4,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_check5,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_check6,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_check7,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_check8,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_disputed_by_check,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_money_lock_check,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_reward_check,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_reward_held_check,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_state_check,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_version_check,
                    DROP CONSTRAINT IF EXISTS carrepsa_package_weight_grams_check;
                ALTER TABLE carrepsa_story DROP CONSTRAINT IF EXISTS carrepsa_story_role_check;
                """
        ),
        Migration(
            module: "carrepsa", name: "0006-payments",
            sql: """
                CREATE TABLE carrepsa_payment (
                    transfer_id {text} PRIMARY KEY,
                    account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                    recorded_by {text} REFERENCES account(id) ON DELETE SET NULL,
                    kind {text} NOT NULL,
                    amount {integer} NOT NULL,
                    note {text} NOT NULL,
                    at {integer} NOT NULL
                ) {strict};
                CREATE INDEX carrepsa_payment_account ON carrepsa_payment (account_id, transfer_id);
                CREATE INDEX carrepsa_payment_recorder ON carrepsa_payment (recorded_by);
                """
        ),
        Migration(module: "carrepsa", name: "0007-money", sql: money),
        historyDigests,
        Migration(module: "carrepsa", name: "0009-recipients", sql: recipients),
        Migration(module: "carrepsa", name: "0010-places", sql: places),
        Migration(module: "carrepsa", name: "0011-trips", sql: trips),
        Migration(module: "carrepsa", name: "0012-messages", sql: messages),
        Migration(module: "carrepsa", name: "0013-reviews", sql: reviews),
        Migration(module: "carrepsa", name: "0014-disputes", sql: disputes),
        Migration(module: "carrepsa", name: "0015-decided-disputes", sql: decidedDisputes),
        Migration(module: "carrepsa", name: "0016-welcomed-addresses", sql: welcomedAddresses),
        Migration(module: "carrepsa", name: "0017-trip-time-zones", sql: tripTimeZones),
        Migration(module: "carrepsa", name: "0018-folded-places", sql: foldedPlaces),
    ]
}
