extension TrackingServices {
    /// `outline` has the corners of a polygon. `days` is a sum of powers of two, Monday's is 1; times are minutes of
    /// the day. `has_geofences` is in the row of the last position because each report reads that row.
    static let geofences = """
        ALTER TABLE safe_place ADD COLUMN outline {text};
        ALTER TABLE whereabouts ADD COLUMN has_geofences {integer} NOT NULL DEFAULT 0;
        CREATE TABLE geofence (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            item_id {text} NOT NULL REFERENCES item(id) ON DELETE CASCADE,
            account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            place_id {text} NOT NULL REFERENCES safe_place(id) ON DELETE CASCADE,
            kind {text} NOT NULL CHECK (kind IN ('arrive', 'leave', 'absent')),
            dwell_minutes {integer} NOT NULL CHECK (dwell_minutes BETWEEN 0 AND 240),
            days {integer} NOT NULL CHECK (days BETWEEN 1 AND 127),
            from_minute {integer} CHECK (from_minute BETWEEN 0 AND 1439),
            until_minute {integer} CHECK (until_minute BETWEEN 0 AND 1439),
            by_minute {integer} CHECK (by_minute BETWEEN 0 AND 1439),
            time_zone {text} NOT NULL,
            version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
            created_at {integer} NOT NULL,
            is_inside {integer},
            pending_is_inside {integer},
            pending_since {integer},
            evaluated_at {integer},
            arrived_at {integer},
            due_at {integer},
            CHECK ((from_minute IS NULL) = (until_minute IS NULL)),
            CHECK ((kind = 'absent') = (by_minute IS NOT NULL)),
            CHECK ((kind = 'absent') = (due_at IS NOT NULL))
        ) {strict};
        CREATE INDEX geofence_by_item ON geofence (item_id, id);
        CREATE INDEX geofence_by_place ON geofence (place_id);
        CREATE INDEX geofence_by_account ON geofence (account_id);
        CREATE INDEX geofence_due ON geofence (due_at) WHERE due_at IS NOT NULL
        """
}
