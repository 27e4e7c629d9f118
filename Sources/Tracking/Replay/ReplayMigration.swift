extension TrackingServices {
    /// `separation_history.contents` has evaluations of the rule for separation alerts, without positions of phones.
    /// A parking without an end lasts; its position is `NULL` when it wasn't known at the start.
    /// `episode_stay_places` contains all columns that a search for stays compares, and `episode_summary` all that the
    /// lists of days show: rows with paths are long.
    static let replays = """
        CREATE TABLE separation_history (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            item_id {text} NOT NULL REFERENCES item(id) ON DELETE CASCADE,
            account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            started_at {integer} NOT NULL,
            evaluations {integer} NOT NULL CHECK (evaluations > 0),
            contents {text} NOT NULL
        ) {strict};
        CREATE INDEX separation_history_by_item ON separation_history (item_id, account_id, id, evaluations);
        CREATE INDEX separation_history_by_account ON separation_history (account_id, id);
        CREATE INDEX separation_history_by_time ON separation_history (started_at);
        CREATE TABLE parking (
            item_id {text} NOT NULL REFERENCES item(id) ON DELETE CASCADE,
            started_at {integer} NOT NULL,
            ended_at {integer},
            at {integer},
            latitude {real},
            longitude {real},
            accuracy {real},
            PRIMARY KEY (item_id, started_at)
        ) {strict};
        CREATE INDEX parking_by_end ON parking (ended_at) WHERE ended_at IS NOT NULL;
        CREATE INDEX parking_present ON parking (item_id, started_at) WHERE ended_at IS NULL;
        INSERT INTO parking (item_id, started_at, at, latitude, longitude, accuracy)
        SELECT item_id, parked_since, parked_at, parked_latitude, parked_longitude, parked_accuracy
        FROM whereabouts WHERE parked_since IS NOT NULL;
        DROP INDEX episode_stays;
        CREATE INDEX episode_stay_places ON episode (item_id, started_at, latitude, longitude, kind)
            WHERE kind = 'stay';
        CREATE INDEX episode_summary ON episode (item_id, started_at, ended_at, kind, distance_metres)
        """
}
