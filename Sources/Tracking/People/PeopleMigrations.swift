extension TrackingServices {
    /// `position_share` has a row for each person who may see where another one is; an end of NULL is none.
    /// `position_view` has one for each viewer and day of UTC. Rules about a person reference the row, so that they end
    /// with it. `shows_person` is in the row of the last position because each report reads that row: other items cost
    /// a report nothing more.
    static let people = """
        CREATE TABLE position_share (
            account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            viewer_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            item_id {text} REFERENCES item(id) ON DELETE CASCADE,
            started_at {integer} NOT NULL,
            expires_at {integer},
            PRIMARY KEY (account_id, viewer_id),
            CHECK (account_id <> viewer_id)
        ) {strict-rowless};
        CREATE INDEX position_share_by_viewer ON position_share (viewer_id, account_id);
        CREATE INDEX position_share_by_item ON position_share (item_id) WHERE item_id IS NOT NULL;
        CREATE INDEX position_share_by_end ON position_share (expires_at) WHERE expires_at IS NOT NULL;
        CREATE TABLE position_view (
            account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            viewer_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            day {integer} NOT NULL,
            views {integer} NOT NULL CHECK (views >= 1),
            last_at {integer} NOT NULL,
            PRIMARY KEY (account_id, viewer_id, day)
        ) {strict-rowless};
        CREATE INDEX position_view_by_viewer ON position_view (viewer_id, last_at);
        CREATE INDEX position_view_by_time ON position_view (last_at);
        CREATE TABLE position_request (
            account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            asker_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            asked_at {integer} NOT NULL,
            is_open {integer} NOT NULL CHECK (is_open IN (0, 1)),
            PRIMARY KEY (account_id, asker_id),
            CHECK (account_id <> asker_id)
        ) {strict-rowless};
        CREATE INDEX position_request_by_asker ON position_request (asker_id);
        CREATE INDEX position_request_by_time ON position_request (asked_at);
        CREATE TABLE person_rule (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            person_id {text} NOT NULL,
            account_id {text} NOT NULL,
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
            CHECK ((kind = 'absent') = (due_at IS NOT NULL)),
            FOREIGN KEY (person_id, account_id) REFERENCES position_share (account_id, viewer_id) ON DELETE CASCADE
        ) {strict};
        CREATE INDEX person_rule_by_share ON person_rule (person_id, account_id, id);
        CREATE INDEX person_rule_by_account ON person_rule (account_id);
        CREATE INDEX person_rule_by_place ON person_rule (place_id);
        CREATE INDEX person_rule_due ON person_rule (due_at) WHERE due_at IS NOT NULL;
        ALTER TABLE whereabouts ADD COLUMN shows_person {integer} NOT NULL DEFAULT 0
        """
}
