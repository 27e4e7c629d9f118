package import Storage

extension FamilyServices {
    /// The schema of this module. It requires the migrations of accounts, pictures and the ledger before it.
    package static let migrations: [Migration] = [
        Migration(
            module: "family", name: "0001-households",
            sql: """
                CREATE TABLE family_household (
                    id {text} PRIMARY KEY,
                    created_at {integer} NOT NULL
                ) {strict};
                CREATE TABLE family_member (
                    person_id {text} PRIMARY KEY REFERENCES account(id),
                    household_id {text} NOT NULL REFERENCES family_household(id),
                    role {text} NOT NULL CHECK (role IN ('parent', 'child')),
                    joined_at {integer} NOT NULL,
                    deleted_at {integer},
                    CHECK (deleted_at IS NULL OR role = 'child')
                ) {strict};
                CREATE INDEX family_member_household ON family_member (household_id, role, person_id);
                CREATE INDEX family_member_deleted ON family_member (deleted_at) WHERE deleted_at IS NOT NULL;
                CREATE TABLE family_chore (
                    id {text} PRIMARY KEY,
                    household_id {text} NOT NULL REFERENCES family_household(id),
                    name {text} NOT NULL,
                    picture_id {text} NOT NULL REFERENCES picture(id),
                    created_at {integer} NOT NULL,
                    version {integer} NOT NULL CHECK (version >= 1),
                    deleted_at {integer}
                ) {strict};
                CREATE INDEX family_chore_household ON family_chore (household_id, id);
                CREATE INDEX family_chore_picture ON family_chore (picture_id);
                CREATE INDEX family_chore_deleted ON family_chore (deleted_at) WHERE deleted_at IS NOT NULL;
                CREATE TABLE family_contract (
                    id {text} PRIMARY KEY,
                    child_id {text} NOT NULL REFERENCES account(id),
                    max_points {integer} NOT NULL CHECK (max_points >= 1),
                    description {text},
                    created_at {integer} NOT NULL,
                    ended_at {integer},
                    version {integer} NOT NULL CHECK (version >= 1)
                ) {strict};
                CREATE INDEX family_contract_child ON family_contract (child_id, id);
                CREATE UNIQUE INDEX family_contract_present ON family_contract (child_id) WHERE ended_at IS NULL;
                CREATE TABLE family_level (
                    contract_id {text} NOT NULL REFERENCES family_contract(id) ON DELETE CASCADE,
                    number {integer} NOT NULL CHECK (number >= 1),
                    reward {text} NOT NULL,
                    points {integer} NOT NULL CHECK (points >= 1),
                    threshold {integer} NOT NULL CHECK (threshold >= points),
                    reached_at {integer},
                    handed_over_at {integer},
                    PRIMARY KEY (contract_id, number)
                ) {strict-rowless};
                CREATE TABLE family_assignment (
                    id {text} PRIMARY KEY,
                    child_id {text} NOT NULL REFERENCES account(id),
                    booking_id {text} NOT NULL,
                    chore_id {text} REFERENCES family_chore(id) ON DELETE SET NULL,
                    name {text} NOT NULL,
                    picture_id {text} NOT NULL REFERENCES picture(id),
                    points {integer} NOT NULL CHECK (points BETWEEN 1 AND 3),
                    at {integer} NOT NULL,
                    by_id {text} REFERENCES account(id) ON DELETE SET NULL,
                    contract_id {text} REFERENCES family_contract(id),
                    reversed_at {integer}
                ) {strict};
                CREATE INDEX family_assignment_child ON family_assignment (child_id, id);
                CREATE INDEX family_assignment_booking ON family_assignment (booking_id);
                CREATE INDEX family_assignment_picture ON family_assignment (picture_id);
                CREATE INDEX family_assignment_chore ON family_assignment (chore_id) WHERE chore_id IS NOT NULL;
                CREATE INDEX family_assignment_by ON family_assignment (by_id) WHERE by_id IS NOT NULL;
                CREATE INDEX family_assignment_contract ON family_assignment (contract_id)
                    WHERE contract_id IS NOT NULL;
                CREATE TABLE family_request (
                    id {text} PRIMARY KEY,
                    child_id {text} NOT NULL REFERENCES account(id),
                    chore_id {text} NOT NULL REFERENCES family_chore(id) ON DELETE CASCADE,
                    at {integer} NOT NULL,
                    UNIQUE (child_id, chore_id)
                ) {strict};
                CREATE INDEX family_request_chore ON family_request (chore_id);
                CREATE TABLE family_code (
                    id {text} PRIMARY KEY,
                    child_id {text} NOT NULL REFERENCES account(id),
                    hash {blob} NOT NULL UNIQUE CHECK (length(hash) = 32),
                    created_at {integer} NOT NULL,
                    expires_at {integer} NOT NULL,
                    closed_at {integer},
                    outcome {text} CHECK (outcome IN ('used', 'revoked', 'replaced')),
                    CHECK ((closed_at IS NULL) = (outcome IS NULL))
                ) {strict};
                CREATE INDEX family_code_child ON family_code (child_id);
                CREATE UNIQUE INDEX family_code_open ON family_code (child_id) WHERE closed_at IS NULL;
                CREATE INDEX family_code_expiry ON family_code (expires_at);
                CREATE TABLE family_invitation (
                    id {text} PRIMARY KEY,
                    hash {blob} NOT NULL UNIQUE CHECK (length(hash) = 32),
                    household_id {text} NOT NULL REFERENCES family_household(id),
                    invited_by {text} NOT NULL REFERENCES account(id),
                    expires_at {integer} NOT NULL
                ) {strict};
                CREATE INDEX family_invitation_household ON family_invitation (household_id, id);
                CREATE INDEX family_invitation_by ON family_invitation (invited_by);
                CREATE INDEX family_invitation_expiry ON family_invitation (expires_at);
                """
        ),
        Migration(
            module: "family", name: "0002-removals",
            sql: """
                CREATE TABLE family_removal (
                    person_id {text} PRIMARY KEY REFERENCES account(id),
                    household_id {text} NOT NULL REFERENCES family_household(id),
                    announced_by {text} NOT NULL REFERENCES account(id),
                    announced_at {integer} NOT NULL,
                    effective_at {integer} NOT NULL,
                    refused_at {integer}
                ) {strict};
                CREATE INDEX family_removal_household ON family_removal (household_id);
                CREATE INDEX family_removal_by ON family_removal (announced_by);
                CREATE INDEX family_removal_effective ON family_removal (effective_at);
                """
        ),
        Migration(
            module: "family", name: "0003-withdrawn-removals",
            sql: """
                CREATE TABLE family_withdrawn_removal (
                    announced_by {text} NOT NULL REFERENCES account(id),
                    person_id {text} NOT NULL REFERENCES account(id),
                    household_id {text} NOT NULL REFERENCES family_household(id),
                    withdrawn_at {integer} NOT NULL,
                    PRIMARY KEY (announced_by, person_id)
                ) {strict};
                CREATE INDEX family_withdrawn_removal_person ON family_withdrawn_removal (person_id);
                CREATE INDEX family_withdrawn_removal_household ON family_withdrawn_removal (household_id);
                CREATE INDEX family_withdrawn_removal_at ON family_withdrawn_removal (withdrawn_at);
                """
        ),
        // Existing families don't need the first steps.
        Migration(
            module: "family", name: "0004-first-steps",
            sql: """
                ALTER TABLE family_household ADD COLUMN first_steps_hidden_at {integer};
                UPDATE family_household SET first_steps_hidden_at = created_at
                """
        ),
        // A schedule applies to the dates from `applies_from` to the day before `applies_until`, which is 9999-12-31
        // for the present schedule of a chore.
        Migration(
            module: "family", name: "0005-schedules",
            sql: """
                ALTER TABLE family_household ADD COLUMN time_zone {text};
                CREATE TABLE family_schedule (
                    id {text} PRIMARY KEY,
                    chore_id {text} NOT NULL REFERENCES family_chore(id) ON DELETE CASCADE,
                    starts_on {text} NOT NULL,
                    due_time {text},
                    rule {text},
                    version {integer} NOT NULL CHECK (version >= 1),
                    created_at {integer} NOT NULL,
                    applies_from {text} NOT NULL,
                    applies_until {text} NOT NULL
                ) {strict};
                CREATE INDEX family_schedule_chore ON family_schedule (chore_id, applies_until);
                CREATE UNIQUE INDEX family_schedule_version ON family_schedule (chore_id, version);
                CREATE UNIQUE INDEX family_schedule_present ON family_schedule (chore_id)
                    WHERE applies_until = '9999-12-31';
                CREATE TABLE family_schedule_child (
                    schedule_id {text} NOT NULL REFERENCES family_schedule(id) ON DELETE CASCADE,
                    child_id {text} NOT NULL REFERENCES account(id),
                    PRIMARY KEY (schedule_id, child_id)
                ) {strict-rowless};
                CREATE INDEX family_schedule_child_child ON family_schedule_child (child_id);
                ALTER TABLE family_assignment ADD COLUMN occurrence_date {text};
                CREATE UNIQUE INDEX family_assignment_occurrence
                    ON family_assignment (child_id, occurrence_date, chore_id)
                    WHERE occurrence_date IS NOT NULL AND reversed_at IS NULL;
                """
        ),
        // A child can ask for the points of a chore once for each of its occurrences.
        Migration(
            module: "family", name: "0006-requested-occurrences",
            rebuildingOnSQLite: """
                CREATE TABLE family_request_new (
                    id {text} PRIMARY KEY,
                    child_id {text} NOT NULL REFERENCES account(id),
                    chore_id {text} NOT NULL REFERENCES family_chore(id) ON DELETE CASCADE,
                    at {integer} NOT NULL,
                    occurrence_date {text}
                ) {strict};
                INSERT INTO family_request_new (id, child_id, chore_id, at)
                    SELECT id, child_id, chore_id, at FROM family_request;
                DROP TABLE family_request;
                ALTER TABLE family_request_new RENAME TO family_request;
                CREATE INDEX family_request_chore ON family_request (chore_id);
                CREATE UNIQUE INDEX family_request_occurrence
                    ON family_request (child_id, chore_id, COALESCE(occurrence_date, ''));
                """,
            alteringOnPostgres: """
                ALTER TABLE family_request ADD COLUMN occurrence_date {text};
                ALTER TABLE family_request DROP CONSTRAINT family_request_child_id_chore_id_key;
                CREATE UNIQUE INDEX family_request_occurrence
                    ON family_request (child_id, chore_id, COALESCE(occurrence_date, ''));
                """
        ),
        // A turn names the child who does an occurrence that one child does. A swap isn't done yet. The last day of a
        // pause is 9999-12-31 until a parent ends it.
        Migration(
            module: "family", name: "0007-turns-and-pauses",
            sql: """
                ALTER TABLE family_schedule ADD COLUMN distribution {text} NOT NULL DEFAULT 'each'
                    CHECK (distribution IN ('each', 'first', 'turns', 'points'));
                ALTER TABLE family_schedule ADD COLUMN offered_points {integer}
                    CHECK (offered_points BETWEEN 1 AND 3);
                ALTER TABLE family_schedule ADD COLUMN grace_minutes {integer} NOT NULL DEFAULT 0;
                ALTER TABLE family_schedule ADD COLUMN remind_minutes_before {integer};
                ALTER TABLE family_schedule ADD COLUMN reminds_when_overdue {integer} NOT NULL DEFAULT 0;
                ALTER TABLE family_schedule ADD COLUMN next_reminder_at {integer};
                CREATE INDEX family_schedule_reminder ON family_schedule (next_reminder_at)
                    WHERE next_reminder_at IS NOT NULL;
                CREATE TABLE family_turn (
                    chore_id {text} NOT NULL REFERENCES family_chore(id) ON DELETE CASCADE,
                    occurrence_date {text} NOT NULL,
                    child_id {text} NOT NULL REFERENCES account(id),
                    rotation_child_id {text} REFERENCES account(id),
                    created_at {integer} NOT NULL,
                    PRIMARY KEY (chore_id, occurrence_date)
                ) {strict-rowless};
                CREATE INDEX family_turn_child ON family_turn (child_id);
                CREATE INDEX family_turn_rotation ON family_turn (rotation_child_id)
                    WHERE rotation_child_id IS NOT NULL;
                CREATE TABLE family_pause (
                    id {text} PRIMARY KEY,
                    household_id {text} NOT NULL REFERENCES family_household(id),
                    child_id {text} REFERENCES account(id),
                    starts_on {text} NOT NULL,
                    ends_on {text} NOT NULL CHECK (ends_on >= starts_on),
                    created_at {integer} NOT NULL
                ) {strict};
                CREATE TABLE family_swap (
                    id {text} PRIMARY KEY,
                    household_id {text} NOT NULL REFERENCES family_household(id),
                    child_id {text} NOT NULL REFERENCES account(id),
                    chore_id {text} NOT NULL REFERENCES family_chore(id) ON DELETE CASCADE,
                    occurrence_date {text} NOT NULL,
                    other_child_id {text} NOT NULL REFERENCES account(id),
                    other_chore_id {text} NOT NULL REFERENCES family_chore(id) ON DELETE CASCADE,
                    other_occurrence_date {text} NOT NULL,
                    accepted_at {integer},
                    created_at {integer} NOT NULL
                ) {strict};
                CREATE UNIQUE INDEX family_swap_turn ON family_swap (chore_id, occurrence_date);
                CREATE INDEX family_swap_household ON family_swap (household_id, occurrence_date);
                CREATE INDEX family_swap_child ON family_swap (child_id);
                CREATE INDEX family_swap_other ON family_swap (other_child_id);
                CREATE INDEX family_swap_other_chore ON family_swap (other_chore_id);
                CREATE INDEX family_pause_household ON family_pause (household_id, ends_on);
                CREATE INDEX family_pause_child ON family_pause (child_id) WHERE child_id IS NOT NULL;
                """
        ),
        Migration(
            module: "family", name: "0008-declined-requests",
            sql: """
                CREATE TABLE family_declined_request (
                    child_id {text} NOT NULL REFERENCES account(id),
                    chore_id {text} NOT NULL REFERENCES family_chore(id) ON DELETE CASCADE,
                    occurrence_date {text},
                    reason {text},
                    by_id {text} REFERENCES account(id) ON DELETE SET NULL,
                    at {integer} NOT NULL,
                    PRIMARY KEY (child_id, chore_id)
                ) {strict-rowless};
                CREATE INDEX family_declined_request_chore ON family_declined_request (chore_id);
                CREATE INDEX family_declined_request_by ON family_declined_request (by_id) WHERE by_id IS NOT NULL;
                CREATE INDEX family_declined_request_at ON family_declined_request (at);
                """
        ),
        // A chore's points can be given automatically some hours after the child's request.
        Migration(
            module: "family", name: "0009-automatic-points",
            sql: """
                ALTER TABLE family_chore ADD COLUMN automatic_hours {integer};
                ALTER TABLE family_chore ADD COLUMN automatic_points {integer};
                ALTER TABLE family_chore ADD COLUMN automatic_by {text} REFERENCES account(id) ON DELETE SET NULL;
                CREATE INDEX family_chore_automatic_by ON family_chore (automatic_by) WHERE automatic_by IS NOT NULL;
                ALTER TABLE family_request ADD COLUMN automatic_at {integer};
                CREATE INDEX family_request_automatic ON family_request (automatic_at)
                    WHERE automatic_at IS NOT NULL;
                ALTER TABLE family_assignment ADD COLUMN is_automatic {integer} NOT NULL DEFAULT 0;
                """
        ),
        // The steps are one text, a line each.
        Migration(
            module: "family", name: "0010-steps-and-photos",
            sql: """
                ALTER TABLE family_chore ADD COLUMN steps {text};
                ALTER TABLE family_chore ADD COLUMN needs_photo {integer} NOT NULL DEFAULT 0;
                ALTER TABLE family_request ADD COLUMN photo_id {text} REFERENCES picture(id);
                CREATE INDEX family_request_photo ON family_request (photo_id) WHERE photo_id IS NOT NULL;
                """
        ),
        // A purchase keeps the name, picture and price of its reward, which can change or be deleted.
        Migration(
            module: "family", name: "0011-rewards",
            sql: """
                CREATE TABLE family_reward (
                    id {text} PRIMARY KEY,
                    household_id {text} NOT NULL REFERENCES family_household(id),
                    name {text} NOT NULL,
                    picture_id {text} REFERENCES picture(id),
                    price {integer} NOT NULL CHECK (price >= 1),
                    stock {integer} CHECK (stock >= 0),
                    is_for_all {integer} NOT NULL CHECK (is_for_all IN (0, 1)),
                    cooldown_days {integer} CHECK (cooldown_days >= 1),
                    needs_approval {integer} NOT NULL CHECK (needs_approval IN (0, 1)),
                    created_at {integer} NOT NULL,
                    version {integer} NOT NULL CHECK (version >= 1),
                    deleted_at {integer}
                ) {strict};
                CREATE INDEX family_reward_household ON family_reward (household_id, price, name, id);
                CREATE INDEX family_reward_picture ON family_reward (picture_id) WHERE picture_id IS NOT NULL;
                CREATE INDEX family_reward_deleted ON family_reward (deleted_at) WHERE deleted_at IS NOT NULL;
                CREATE TABLE family_reward_child (
                    reward_id {text} NOT NULL REFERENCES family_reward(id) ON DELETE CASCADE,
                    child_id {text} NOT NULL REFERENCES account(id),
                    PRIMARY KEY (reward_id, child_id)
                ) {strict-rowless};
                CREATE INDEX family_reward_child_child ON family_reward_child (child_id);
                CREATE TABLE family_purchase (
                    id {text} PRIMARY KEY,
                    child_id {text} NOT NULL REFERENCES account(id),
                    reward_id {text} REFERENCES family_reward(id) ON DELETE SET NULL,
                    name {text} NOT NULL,
                    picture_id {text} REFERENCES picture(id),
                    price {integer} NOT NULL CHECK (price >= 1),
                    at {integer} NOT NULL,
                    state {text} NOT NULL
                        CHECK (state IN ('waiting', 'approved', 'declined', 'cancelled', 'refunded')),
                    decided_at {integer},
                    decided_by {text} REFERENCES account(id) ON DELETE SET NULL,
                    takes_stock {integer} NOT NULL DEFAULT 0
                ) {strict};
                CREATE INDEX family_purchase_child ON family_purchase (child_id, id);
                CREATE INDEX family_purchase_waiting ON family_purchase (child_id, id) WHERE state = 'waiting';
                CREATE INDEX family_purchase_last ON family_purchase (child_id, reward_id, at)
                    WHERE state IN ('waiting', 'approved');
                CREATE INDEX family_purchase_reward ON family_purchase (reward_id) WHERE reward_id IS NOT NULL;
                CREATE INDEX family_purchase_picture ON family_purchase (picture_id) WHERE picture_id IS NOT NULL;
                CREATE INDEX family_purchase_by ON family_purchase (decided_by) WHERE decided_by IS NOT NULL;
                """
        ),
        // A child saves for one reward at a time, and is notified once when it has the points.
        Migration(
            module: "family", name: "0012-saving-goals",
            sql: """
                CREATE TABLE family_saving_goal (
                    child_id {text} PRIMARY KEY REFERENCES account(id),
                    reward_id {text} NOT NULL REFERENCES family_reward(id) ON DELETE CASCADE,
                    chosen_at {integer} NOT NULL,
                    reached_at {integer}
                ) {strict};
                CREATE INDEX family_saving_goal_reward ON family_saving_goal (reward_id);
                """
        ),
        // A wish is deleted when a parent decides on it.
        Migration(
            module: "family", name: "0013-wishes",
            sql: """
                CREATE TABLE family_wish (
                    id {text} PRIMARY KEY,
                    child_id {text} NOT NULL REFERENCES account(id),
                    name {text} NOT NULL,
                    at {integer} NOT NULL
                ) {strict};
                CREATE INDEX family_wish_child ON family_wish (child_id, id);
                """
        ),
        streakMigration,
        tabletMigration,
        skipMigration,
        doneDayMigration,
    ]
}
