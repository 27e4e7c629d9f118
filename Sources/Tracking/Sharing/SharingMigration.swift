extension TrackingServices {
    /// `is_shared` and `is_muted` are in the row of the last position because each report reads that row: an item that
    /// isn't shared costs a report nothing more. A member starts apart (`apart_since`): alerts begin once the item was
    /// with that person.
    static let sharing = """
        CREATE TABLE item_member (
            item_id {text} NOT NULL REFERENCES item(id) ON DELETE CASCADE,
            account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            access {text} NOT NULL CHECK (access IN ('see', 'locate', 'manage')),
            name {text} CHECK (length(name) BETWEEN 1 AND 1000),
            alert_metres {integer} CHECK (alert_metres BETWEEN 1 AND 100000),
            is_muted {integer} NOT NULL DEFAULT 0 CHECK (is_muted IN (0, 1)),
            apart_since {integer},
            alert_evidence {integer} NOT NULL DEFAULT 0 CHECK (alert_evidence >= 0),
            alert_evidence_at {integer},
            version {integer} NOT NULL DEFAULT 1 CHECK (version >= 1),
            joined_at {integer} NOT NULL,
            PRIMARY KEY (item_id, account_id)
        ) {strict-rowless};
        CREATE INDEX item_member_by_account ON item_member (account_id, item_id);
        CREATE TABLE item_invitation (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            item_id {text} NOT NULL REFERENCES item(id) ON DELETE CASCADE,
            hash {blob} NOT NULL UNIQUE CHECK (length(hash) = 32),
            access {text} NOT NULL CHECK (access IN ('see', 'locate', 'manage')),
            created_by {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            expires_at {integer} NOT NULL
        ) {strict};
        CREATE INDEX item_invitation_by_item ON item_invitation (item_id, id);
        CREATE INDEX item_invitation_by_creator ON item_invitation (created_by);
        CREATE INDEX item_invitation_by_end ON item_invitation (expires_at);
        ALTER TABLE whereabouts ADD COLUMN is_shared {integer} NOT NULL DEFAULT 0;
        ALTER TABLE whereabouts ADD COLUMN is_muted {integer} NOT NULL DEFAULT 0
        """
}
