package import Storage

extension TrackingServices {
    /// The migrations of this module; the accounts' migrations must run before them.
    package static let migrations: [Migration] = [
        Migration(module: "tracking", name: "0001-items", sql: items),
        Migration(module: "tracking", name: "0002-trackers", sql: trackers),
        Migration(module: "tracking", name: "0003-sources", sql: sources),
        Migration(module: "tracking", name: "0004-endings", sql: endings),
        Migration(module: "tracking", name: "0005-alerts", sql: alerts),
        Migration(module: "tracking", name: "0006-item-defaults", sql: itemDefaults),
        Migration(module: "tracking", name: "0007-hologram", sql: hologramTables),
        Migration(module: "tracking", name: "0008-archive", sql: archive),
        Migration(module: "tracking", name: "0009-registrations", sql: registrations),
        Migration(module: "tracking", name: "0010-former-owners", sql: formerOwners),
        Migration(module: "tracking", name: "0011-unconfirmed-switches", sql: unconfirmedSwitches),
        Migration(
            module: "tracking", name: "0012-disowned-histories", rebuildingOnSQLite: disownedHistories,
            alteringOnPostgres: """
                ALTER TABLE item ALTER COLUMN account_id DROP NOT NULL;
                ALTER TABLE item ADD CONSTRAINT item_owner CHECK (account_id IS NOT NULL OR deleted_at IS NOT NULL)
                """
        ),
        Migration(module: "tracking", name: "0013-counted-fixes", sql: countedFixes),
        Migration(module: "tracking", name: "0014-remaining-fixes", sql: remainingFixes),
        Migration(module: "tracking", name: "0015-no-checks-in-postgres", onlyOnPostgres: noChecks),
        Migration(module: "tracking", name: "0016-sharing", sql: sharing),
        Migration(module: "tracking", name: "0017-health", sql: health),
        Migration(module: "tracking", name: "0018-geofences", sql: geofences),
        Migration(module: "tracking", name: "0019-episodes", sql: episodes),
        Migration(module: "tracking", name: "0020-lost-mode", sql: lostMode),
        Migration(module: "tracking", name: "0021-live-links", sql: liveLinks),
        Migration(module: "tracking", name: "0022-addresses", sql: addresses),
        Migration(module: "tracking", name: "0023-people", sql: people),
        Migration(module: "tracking", name: "0024-replays", sql: replays),
        Migration(module: "tracking", name: "0025-former-labels", sql: formerLabels),
        Migration(module: "tracking", name: "0026-answered-alert-modes", sql: answeredAlertModes),
    ]

    private static let itemDefaults = """
        CREATE TABLE item_defaults (
            account_id {text} PRIMARY KEY REFERENCES account(id),
            locate_minutes {integer} NOT NULL CHECK (locate_minutes BETWEEN 1 AND 1440),
            lost_metres {integer} NOT NULL CHECK (lost_metres BETWEEN 1 AND 100000),
            alert_metres {integer} NOT NULL CHECK (alert_metres BETWEEN 1 AND 100000),
            walk_metres {integer} NOT NULL CHECK (walk_metres BETWEEN 0 AND 100000),
            version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1)
        ) {strict-rowless}
        """

    /// `whereabouts` holds the list's data, so that the list's cost doesn't grow with the history. A series is one
    /// device's track of one item.
    private static let items = """
        CREATE TABLE item (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            account_id {text} NOT NULL REFERENCES account(id),
            name {text} NOT NULL CHECK (length(name) BETWEEN 1 AND 1000),
            picture_id {text} REFERENCES picture(id),
            locate_minutes {integer} NOT NULL CHECK (locate_minutes BETWEEN 1 AND 1440),
            lost_metres {integer} NOT NULL CHECK (lost_metres BETWEEN 1 AND 100000),
            alert_metres {integer} NOT NULL CHECK (alert_metres BETWEEN 1 AND 100000),
            walk_metres {integer} NOT NULL CHECK (walk_metres BETWEEN 0 AND 100000),
            version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
            created_at {integer} NOT NULL
        ) {strict};
        CREATE INDEX item_by_account ON item (account_id, id);
        CREATE INDEX item_by_picture ON item (picture_id);
        CREATE TABLE whereabouts (
            item_id {text} PRIMARY KEY REFERENCES item(id) ON DELETE CASCADE,
            version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
            series {integer},
            at {integer},
            latitude {real} CHECK (latitude BETWEEN -90 AND 90),
            longitude {real} CHECK (longitude BETWEEN -180 AND 180),
            accuracy {real},
            altitude {real},
            speed {real},
            heading {real},
            battery {integer} CHECK (battery BETWEEN 0 AND 100),
            source {text} CHECK (source IN ('tracker', 'owntracks', 'osmand', 'phone')),
            device_battery {integer} CHECK (device_battery BETWEEN 0 AND 100),
            last_seen_at {integer},
            has_waiting {integer} NOT NULL DEFAULT 0 CHECK (has_waiting IN (0, 1)),
            CHECK ((at IS NULL) = (series IS NULL)),
            CHECK ((at IS NULL) = (latitude IS NULL)),
            CHECK ((at IS NULL) = (longitude IS NULL)),
            CHECK ((at IS NULL) = (source IS NULL))
        ) {strict-rowless};
        CREATE TABLE track (
            series {serial},
            item_id {text} NOT NULL REFERENCES item(id),
            device {text} NOT NULL,
            source {text} NOT NULL CHECK (source IN ('tracker', 'owntracks', 'osmand', 'phone')),
            UNIQUE (item_id, device)
        ) {strict};
        CREATE TABLE fix (
            series {integer} NOT NULL REFERENCES track(series),
            at {integer} NOT NULL,
            latitude {real} NOT NULL CHECK (latitude BETWEEN -90 AND 90),
            longitude {real} NOT NULL CHECK (longitude BETWEEN -180 AND 180),
            accuracy {real} CHECK (accuracy >= 0),
            altitude {real},
            speed {real} CHECK (speed >= 0),
            heading {real} CHECK (heading >= 0 AND heading < 360),
            battery {integer} CHECK (battery BETWEEN 0 AND 100),
            PRIMARY KEY (series, at)
        ) {strict-rowless}
        """

    private static let trackers = """
        CREATE TABLE tracker (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            public_key {blob} NOT NULL UNIQUE CHECK (length(public_key) = 32),
            code_hash {blob} NOT NULL UNIQUE CHECK (length(code_hash) = 32),
            server_public_key {blob} NOT NULL CHECK (length(server_public_key) = 32),
            keys {blob} NOT NULL,
            counter {integer},
            tag {blob},
            state {text} NOT NULL CHECK (state IN ('free', 'registering', 'bound', 'active', 'off', 'releasing')),
            item_id {text} UNIQUE REFERENCES item(id),
            mode {text} NOT NULL DEFAULT 'cellular' CHECK (mode IN ('bluetooth', 'cellular')),
            wanted {text} NOT NULL DEFAULT 'off' CHECK (wanted IN ('on', 'off')),
            pending_since {integer},
            pending_until {integer},
            is_late {integer} NOT NULL DEFAULT 0 CHECK (is_late IN (0, 1)),
            contacted_at {integer} NOT NULL,
            CHECK ((item_id IS NULL) = (state IN ('free', 'releasing'))),
            CHECK ((counter IS NULL) = (tag IS NULL)),
            CHECK ((pending_since IS NULL) = (pending_until IS NULL))
        ) {strict};
        CREATE INDEX tracker_unclaimed ON tracker (contacted_at) WHERE state = 'free';
        CREATE INDEX tracker_pending ON tracker (pending_until) WHERE is_late = 0 AND pending_until IS NOT NULL
        """

    private static let sources = """
        CREATE TABLE source (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            account_id {text} NOT NULL REFERENCES account(id),
            kind {text} NOT NULL CHECK (kind IN ('owntracks', 'osmand')),
            item_id {text} UNIQUE REFERENCES item(id),
            user_name {text} UNIQUE,
            secret_hash {blob} NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
            passphrase {blob},
            speed_unit {text} CHECK (speed_unit IN ('knots', 'kmh', 'mps', 'mph')),
            state {text} NOT NULL DEFAULT 'bound' CHECK (state IN ('bound', 'active')),
            version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
            created_at {integer} NOT NULL,
            CHECK ((kind = 'owntracks') = (user_name IS NOT NULL)),
            CHECK ((kind = 'owntracks') = (passphrase IS NOT NULL)),
            CHECK ((kind = 'osmand') = (speed_unit IS NOT NULL))
        ) {strict};
        CREATE INDEX source_by_account ON source (account_id, id);
        CREATE TABLE phone_position (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            account_id {text} NOT NULL REFERENCES account(id),
            session_id {text} UNIQUE REFERENCES session(id) ON DELETE CASCADE,
            source_id {text} UNIQUE REFERENCES source(id) ON DELETE CASCADE,
            latitude {real} NOT NULL CHECK (latitude BETWEEN -90 AND 90),
            longitude {real} NOT NULL CHECK (longitude BETWEEN -180 AND 180),
            accuracy {real} CHECK (accuracy >= 0),
            at {integer} NOT NULL,
            received_at {integer} NOT NULL,
            version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
            CHECK ((session_id IS NULL) = (source_id IS NOT NULL))
        ) {strict-rowless};
        CREATE INDEX phone_position_by_account ON phone_position (account_id, at);
        CREATE TABLE command (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            tracker_id {text} REFERENCES tracker(id) ON DELETE CASCADE,
            source_id {text} REFERENCES source(id) ON DELETE CASCADE,
            item_id {text} REFERENCES item(id),
            kind {text} NOT NULL CHECK (kind IN ('activate', 'locate', 'on', 'off', 'ring', 'release')),
            state {text} NOT NULL CHECK (state IN ('queued', 'sent', 'applied', 'expired', 'superseded', 'failed')),
            created_at {integer} NOT NULL,
            expires_at {integer},
            version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
            CHECK ((tracker_id IS NULL) = (source_id IS NOT NULL)),
            CHECK ((kind = 'release') = (item_id IS NULL)),
            CHECK ((kind = 'release') = (expires_at IS NULL))
        ) {strict};
        CREATE INDEX command_by_item ON command (item_id, id);
        CREATE INDEX command_by_tracker ON command (tracker_id, id);
        CREATE INDEX command_by_source ON command (source_id, id);
        CREATE INDEX command_open ON command (expires_at) WHERE state IN ('queued', 'sent');
        CREATE TABLE quarantine (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            account_id {text} NOT NULL REFERENCES account(id),
            item_id {text} REFERENCES item(id) ON DELETE CASCADE,
            device {text} NOT NULL,
            received_at {integer} NOT NULL,
            reason {text} NOT NULL
        ) {strict};
        CREATE INDEX quarantine_by_account ON quarantine (account_id, id);
        CREATE INDEX quarantine_by_item ON quarantine (item_id);
        CREATE INDEX quarantine_by_device ON quarantine (device, id);
        CREATE INDEX quarantine_by_time ON quarantine (received_at)
        """

    /// The row of a deleted item without its name remains until its history is removed, which can take several
    /// transactions. `silence_told` is the `last_seen_at` of the silence that was last announced.
    private static let endings = """
        ALTER TABLE item ADD COLUMN deleted_at {integer};
        CREATE INDEX item_deleted ON item (deleted_at) WHERE deleted_at IS NOT NULL;
        ALTER TABLE tracker ADD COLUMN off_since {integer};
        ALTER TABLE whereabouts ADD COLUMN silence_told {integer}
        """

    /// `watched_until` is in the row of the last position because each report reads that row: without a recent position
    /// of the owner's phones a report costs nothing more.
    private static let alerts = """
        ALTER TABLE whereabouts ADD COLUMN watched_until {integer};
        ALTER TABLE whereabouts ADD COLUMN apart_since {integer};
        ALTER TABLE whereabouts ADD COLUMN alert_evidence {integer} NOT NULL DEFAULT 0 CHECK (alert_evidence >= 0);
        ALTER TABLE whereabouts ADD COLUMN alert_evidence_at {integer};
        CREATE TABLE alert_setting (
            account_id {text} PRIMARY KEY REFERENCES account(id),
            mode {text} NOT NULL CHECK (mode IN ('everyTime', 'whenSure'))
        ) {strict-rowless};
        CREATE TABLE safe_place (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            account_id {text} NOT NULL REFERENCES account(id),
            name {text} NOT NULL CHECK (length(name) BETWEEN 1 AND 1000),
            latitude {real} NOT NULL CHECK (latitude BETWEEN -90 AND 90),
            longitude {real} NOT NULL CHECK (longitude BETWEEN -180 AND 180),
            radius_metres {integer} NOT NULL CHECK (radius_metres BETWEEN 10 AND 10000),
            version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
            created_at {integer} NOT NULL
        ) {strict};
        CREATE INDEX safe_place_by_account ON safe_place (account_id, id)
        """

    /// Register requests for trackers that answer them over Bluetooth.
    private static let registrations = """
        CREATE TABLE registration (
            tracker_id {text} NOT NULL REFERENCES tracker(id) ON DELETE CASCADE,
            item_id {text} NOT NULL REFERENCES item(id) ON DELETE CASCADE,
            challenge {blob} NOT NULL CHECK (length(challenge) = 16),
            created_at {integer} NOT NULL,
            expires_at {integer} NOT NULL CHECK (expires_at > created_at),
            PRIMARY KEY (tracker_id, item_id, challenge)
        ) {strict-rowless};
        CREATE INDEX registration_by_item ON registration (item_id);
        CREATE INDEX registration_by_end ON registration (expires_at)
        """

    /// The masked contact of the former owner of a released tracker. It has no foreign keys: it must outlive the
    /// tracker and the account.
    private static let formerOwners = """
        CREATE TABLE former_owner (
            tracker_id {text} PRIMARY KEY CHECK (length(tracker_id) = 36),
            contact {text} NOT NULL,
            expires_at {integer} NOT NULL
        ) {strict-rowless};
        CREATE INDEX former_owner_by_end ON former_owner (expires_at)
        """

    /// The index for housekeeping's query for switches that were not confirmed in time.
    private static let unconfirmedSwitches = "CREATE INDEX tracker_late ON tracker (pending_until) WHERE is_late = 1"

    /// The histories of a deleted account are removed after it and have no owner until then.
    private static let disownedHistories = """
        CREATE TABLE item_new (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            account_id {text} REFERENCES account(id),
            name {text} NOT NULL CHECK (length(name) BETWEEN 1 AND 1000),
            picture_id {text} REFERENCES picture(id),
            locate_minutes {integer} NOT NULL CHECK (locate_minutes BETWEEN 1 AND 1440),
            lost_metres {integer} NOT NULL CHECK (lost_metres BETWEEN 1 AND 100000),
            alert_metres {integer} NOT NULL CHECK (alert_metres BETWEEN 1 AND 100000),
            walk_metres {integer} NOT NULL CHECK (walk_metres BETWEEN 0 AND 100000),
            version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
            created_at {integer} NOT NULL,
            deleted_at {integer},
            keep_days {integer} CHECK (keep_days BETWEEN 1 AND 3650),
            CHECK (account_id IS NOT NULL OR deleted_at IS NOT NULL)
        ) {strict};
        INSERT INTO item_new (
            id, account_id, name, picture_id, locate_minutes, lost_metres, alert_metres, walk_metres, version,
            created_at, deleted_at, keep_days
        ) SELECT id, account_id, name, picture_id, locate_minutes, lost_metres, alert_metres, walk_metres, version,
            created_at, deleted_at, keep_days
        FROM item;
        DROP TABLE item;
        ALTER TABLE item_new RENAME TO item;
        CREATE INDEX item_by_account ON item (account_id, id);
        CREATE INDEX item_by_picture ON item (picture_id);
        CREATE INDEX item_deleted ON item (deleted_at) WHERE deleted_at IS NOT NULL;
        CREATE INDEX item_keeping ON item (id) WHERE keep_days IS NOT NULL
        """

    /// The number of an item's fixes, so that the cost of an account's total doesn't grow with its histories.
    private static let countedFixes = """
        ALTER TABLE whereabouts ADD COLUMN fixes {integer} NOT NULL DEFAULT 0;
        UPDATE whereabouts SET fixes = (
            SELECT COUNT(*) FROM track t JOIN fix f ON f.series = t.series WHERE t.item_id = whereabouts.item_id
        )
        """

    /// The number of a deleted item's fixes that are still stored.
    private static let remainingFixes = """
        ALTER TABLE item ADD COLUMN remaining_fixes {integer} NOT NULL DEFAULT 0;
        UPDATE item SET remaining_fixes = (
            SELECT COUNT(*) FROM track t JOIN fix f ON f.series = t.series WHERE t.item_id = item.id
        ) WHERE deleted_at IS NOT NULL
        """

    /// A fix without a segment is not archived yet. The index holds only these fixes and so remains small.
    private static let archive = """
        ALTER TABLE item ADD COLUMN keep_days {integer} CHECK (keep_days BETWEEN 1 AND 3650);
        CREATE INDEX item_keeping ON item (id) WHERE keep_days IS NOT NULL;
        ALTER TABLE track ADD COLUMN archive_due_at {integer} NOT NULL DEFAULT 0;
        CREATE TABLE fix_segment (
            number {serial},
            id {text} NOT NULL UNIQUE CHECK (length(id) = 36),
            series {integer} NOT NULL REFERENCES track(series),
            day {integer} NOT NULL,
            object_key {text} NOT NULL UNIQUE,
            state {text} NOT NULL CHECK (state IN ('writing', 'written')),
            claimed_until {integer} NOT NULL,
            fixes {integer} CHECK (fixes > 0),
            digest {blob} CHECK (length(digest) = 32),
            CHECK ((state = 'written') = (digest IS NOT NULL)),
            CHECK ((fixes IS NULL) = (digest IS NULL))
        ) {strict};
        CREATE INDEX fix_segment_by_series ON fix_segment (series, day);
        CREATE INDEX fix_segment_writing ON fix_segment (claimed_until) WHERE state = 'writing';
        ALTER TABLE fix ADD COLUMN segment {integer};
        CREATE INDEX fix_unarchived ON fix (series, at) WHERE segment IS NULL
        """

    /// docs/decisions/0047
    private static let noChecks = """
        ALTER TABLE fix
            DROP CONSTRAINT IF EXISTS fix_accuracy_check,
            DROP CONSTRAINT IF EXISTS fix_battery_check,
            DROP CONSTRAINT IF EXISTS fix_heading_check,
            DROP CONSTRAINT IF EXISTS fix_latitude_check,
            DROP CONSTRAINT IF EXISTS fix_longitude_check,
            DROP CONSTRAINT IF EXISTS fix_speed_check;
        ALTER TABLE whereabouts
            DROP CONSTRAINT IF EXISTS whereabouts_version_check,
            DROP CONSTRAINT IF EXISTS whereabouts_latitude_check,
            DROP CONSTRAINT IF EXISTS whereabouts_longitude_check,
            DROP CONSTRAINT IF EXISTS whereabouts_battery_check,
            DROP CONSTRAINT IF EXISTS whereabouts_source_check,
            DROP CONSTRAINT IF EXISTS whereabouts_device_battery_check,
            DROP CONSTRAINT IF EXISTS whereabouts_has_waiting_check,
            DROP CONSTRAINT IF EXISTS whereabouts_check,
            DROP CONSTRAINT IF EXISTS whereabouts_check1,
            DROP CONSTRAINT IF EXISTS whereabouts_check2,
            DROP CONSTRAINT IF EXISTS whereabouts_check3,
            DROP CONSTRAINT IF EXISTS whereabouts_alert_evidence_check
        """
}
