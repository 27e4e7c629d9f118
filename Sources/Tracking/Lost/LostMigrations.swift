extension TrackingServices {
    /// `lost_since` and `lost_apart` are in the row of the last position because the rule for separation alerts reads
    /// that row: an item that isn't in lost mode costs a report nothing more. A label's secret is encrypted, because
    /// its owner prints it again.
    static let lostMode = """
        ALTER TABLE whereabouts ADD COLUMN lost_since {integer};
        ALTER TABLE whereabouts ADD COLUMN lost_apart {integer} NOT NULL DEFAULT 0;
        CREATE TABLE lost_mode (
            item_id {text} PRIMARY KEY REFERENCES item(id) ON DELETE CASCADE,
            message {text} NOT NULL CHECK (length(message) BETWEEN 1 AND 4000),
            contact {text},
            shows_photo {integer} NOT NULL CHECK (shows_photo IN (0, 1)),
            version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
            started_at {integer} NOT NULL
        ) {strict-rowless};
        CREATE TABLE item_label (
            item_id {text} PRIMARY KEY REFERENCES item(id) ON DELETE CASCADE,
            secret_hash {blob} NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
            secret {blob} NOT NULL,
            created_at {integer} NOT NULL
        ) {strict};
        CREATE TABLE finder_report (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            item_id {text} NOT NULL REFERENCES item(id) ON DELETE CASCADE,
            secret_hash {blob} NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
            message {text} NOT NULL CHECK (length(message) BETWEEN 1 AND 4000),
            latitude {real} CHECK (latitude BETWEEN -90 AND 90),
            longitude {real} CHECK (longitude BETWEEN -180 AND 180),
            accuracy {real} CHECK (accuracy >= 0),
            reply {text} CHECK (length(reply) BETWEEN 1 AND 4000),
            replied_at {integer},
            version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
            created_at {integer} NOT NULL,
            CHECK ((latitude IS NULL) = (longitude IS NULL)),
            CHECK ((reply IS NULL) = (replied_at IS NULL))
        ) {strict};
        CREATE INDEX finder_report_by_item ON finder_report (item_id, id);
        CREATE INDEX finder_report_by_time ON finder_report (created_at)
        """

    /// Labels that no longer work, so that their finders learn why. `item_id` is `NULL` once the item is deleted.
    static let formerLabels = """
        CREATE TABLE former_label (
            secret_hash {blob} PRIMARY KEY CHECK (length(secret_hash) = 32),
            item_id {text} REFERENCES item(id) ON DELETE SET NULL,
            ended_at {integer} NOT NULL
        ) {strict-rowless};
        CREATE INDEX former_label_by_item ON former_label (item_id, ended_at);
        CREATE INDEX former_label_by_time ON former_label (ended_at)
        """
}
