extension TrackingServices {
    /// The flags are in the row of the last position because each report reads that row: a report of an item without
    /// these alerts needs no further statement. `silence_notified` is the `last_seen_at` of the silence of which people
    /// were notified. An alert has the id of its notification. It doesn't reference its item, because
    /// the reference would lock the item's row after that of its last position; the deletion of an item deletes it.
    static let health = """
        ALTER TABLE item ADD COLUMN silent_hours {integer} CHECK (silent_hours BETWEEN 1 AND 168);
        CREATE INDEX item_silence ON item (id) WHERE silent_hours IS NOT NULL;
        ALTER TABLE whereabouts ADD COLUMN is_battery_low {integer} NOT NULL DEFAULT 0;
        ALTER TABLE whereabouts ADD COLUMN silence_notified {integer};
        ALTER TABLE whereabouts ADD COLUMN parked_since {integer};
        ALTER TABLE whereabouts ADD COLUMN parked_at {integer};
        ALTER TABLE whereabouts ADD COLUMN parked_latitude {real};
        ALTER TABLE whereabouts ADD COLUMN parked_longitude {real};
        ALTER TABLE whereabouts ADD COLUMN parked_accuracy {real};
        ALTER TABLE whereabouts ADD COLUMN parked_away_at {integer};
        CREATE TABLE item_alert (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            item_id {text} NOT NULL,
            kind {text} NOT NULL,
            at {integer} NOT NULL,
            evidence {text} NOT NULL
        ) {strict};
        CREATE INDEX item_alert_by_item ON item_alert (item_id, account_id, at, id);
        CREATE INDEX item_alert_by_account ON item_alert (account_id);
        CREATE INDEX item_alert_by_time ON item_alert (at)
        """
}
