extension TrackingServices {
    /// `episode.day` is the UTC day whose positions completed the episode, and `episode_day.state` the state of the
    /// rule after that day: late positions change the episodes from that day on. `episode_progress.fixes` is the number
    /// of positions in all days; together with `uncounted` it is compared with `whereabouts.fixes`.
    static let episodes = """
        CREATE TABLE episode (
            item_id {text} NOT NULL REFERENCES item(id) ON DELETE CASCADE,
            started_at {integer} NOT NULL,
            ended_at {integer} NOT NULL,
            day {integer} NOT NULL,
            kind {text} NOT NULL CHECK (kind IN ('stay', 'trip', 'sighting')),
            is_open {integer} NOT NULL CHECK (is_open IN (0, 1)),
            latitude {real} NOT NULL,
            longitude {real} NOT NULL,
            end_latitude {real} NOT NULL,
            end_longitude {real} NOT NULL,
            distance_metres {real} NOT NULL CHECK (distance_metres >= 0),
            fixes {integer} NOT NULL CHECK (fixes > 0),
            path {text},
            PRIMARY KEY (item_id, started_at),
            CHECK (ended_at >= started_at),
            CHECK ((path IS NOT NULL) = (kind = 'trip'))
        ) {strict};
        CREATE INDEX episode_by_day ON episode (item_id, day);
        CREATE INDEX episode_open ON episode (item_id) WHERE is_open = 1;
        CREATE INDEX episode_stays ON episode (item_id, started_at) WHERE kind = 'stay';
        CREATE TABLE episode_day (
            item_id {text} NOT NULL REFERENCES item(id) ON DELETE CASCADE,
            day {integer} NOT NULL,
            fixes {integer} NOT NULL CHECK (fixes > 0),
            last_at {integer} NOT NULL,
            state {text} NOT NULL,
            PRIMARY KEY (item_id, day)
        ) {strict};
        CREATE TABLE episode_progress (
            item_id {text} PRIMARY KEY REFERENCES item(id) ON DELETE CASCADE,
            version {integer} NOT NULL DEFAULT 1,
            fixes {integer} NOT NULL DEFAULT 0,
            uncounted {integer} NOT NULL DEFAULT 0,
            changed_after {integer}
        ) {strict-rowless}
        """
}
