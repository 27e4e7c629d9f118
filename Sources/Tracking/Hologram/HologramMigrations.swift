extension TrackingServices {
    /// `ask_at` is the time of the next poll of a tracker. `compact_counter` is the highest counter of its compact
    /// frames, 0 before the first. `hologram_errand` holds the commands to send through the cloud. `cloud_object` names
    /// objects of the cloud's bucket that were read and wait for their removal, or that aren't ours.
    static let hologramTables = """
        ALTER TABLE tracker ADD COLUMN hologram_device {integer} CHECK (hologram_device > 0);
        ALTER TABLE tracker ADD COLUMN compact_counter {integer} NOT NULL DEFAULT 0 CHECK (compact_counter >= 0);
        ALTER TABLE tracker ADD COLUMN ask_at {integer};
        CREATE INDEX tracker_by_hologram_device ON tracker (hologram_device) WHERE hologram_device IS NOT NULL;
        CREATE INDEX tracker_to_ask ON tracker (ask_at) WHERE ask_at IS NOT NULL;
        CREATE TABLE hologram_errand (
            command_id {text} PRIMARY KEY REFERENCES command(id) ON DELETE CASCADE,
            next_at {integer} NOT NULL,
            attempts {integer} NOT NULL DEFAULT 0 CHECK (attempts >= 0)
        ) {strict-rowless};
        CREATE INDEX hologram_errand_due ON hologram_errand (next_at);
        CREATE TABLE cloud_reading (
            road {text} PRIMARY KEY CHECK (road IN ('bucket', 'records')),
            next_at {integer} NOT NULL,
            failures {integer} NOT NULL DEFAULT 0 CHECK (failures >= 0),
            position_at {integer} NOT NULL,
            position_record {integer} NOT NULL DEFAULT 0
        ) {strict-rowless};
        CREATE TABLE cloud_object (
            name {text} PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 1024),
            is_read {integer} NOT NULL CHECK (is_read IN (0, 1)),
            seen_at {integer} NOT NULL
        ) {strict-rowless};
        CREATE TABLE cloud_quarantine (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            source {text} NOT NULL CHECK (length(source) BETWEEN 1 AND 1100),
            received_at {integer} NOT NULL,
            reason {text} NOT NULL
        ) {strict-rowless};
        CREATE INDEX cloud_quarantine_by_time ON cloud_quarantine (received_at)
        """
}
