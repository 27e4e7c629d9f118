extension TrackingServices {
    /// A link without an item shares the position of its owner's phones. Its secret is encrypted, because its owner can
    /// copy it again. `live_viewer` has a row for each open page, which its node refreshes: rows of a node that died
    /// stop counting.
    static let liveLinks = """
        CREATE TABLE live_link (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            item_id {text} REFERENCES item(id) ON DELETE CASCADE,
            secret_hash {blob} NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
            secret {blob} NOT NULL,
            shows_name {integer} NOT NULL CHECK (shows_name IN (0, 1)),
            until_met {integer} NOT NULL CHECK (until_met IN (0, 1)),
            created_at {integer} NOT NULL,
            expires_at {integer} NOT NULL CHECK (expires_at > created_at),
            ended_at {integer},
            ending {text} CHECK (ending IN ('revoked', 'met')),
            version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
            CHECK ((ended_at IS NULL) = (ending IS NULL))
        ) {strict};
        CREATE INDEX live_link_by_account ON live_link (account_id, id);
        CREATE INDEX live_link_by_item ON live_link (item_id);
        CREATE INDEX live_link_by_end ON live_link (expires_at);
        CREATE TABLE live_viewer (
            link_id {text} NOT NULL REFERENCES live_link(id) ON DELETE CASCADE,
            viewer {text} NOT NULL CHECK (length(viewer) = 36),
            seen_at {integer} NOT NULL,
            PRIMARY KEY (link_id, viewer)
        ) {strict-rowless};
        CREATE INDEX live_viewer_by_time ON live_viewer (seen_at)
        """
}
