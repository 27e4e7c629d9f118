extension CarrepsaServices {
    /// `carrepsa_recipient` holds the recipient of a package until 14 days after its delivery. The secret of the page
    /// is encrypted, because the owner can copy it again. `carrepsa_proof` has the photos of handovers; the entry of
    /// the history with the same number has the digest and the note.
    static let recipients = """
        ALTER TABLE carrepsa_package ADD COLUMN has_recipient {integer} NOT NULL DEFAULT 0;
        ALTER TABLE carrepsa_package ADD COLUMN refused_at {integer};
        ALTER TABLE carrepsa_package ADD COLUMN requires_photos {integer} NOT NULL DEFAULT 0;
        ALTER TABLE carrepsa_package ADD COLUMN pickup_photos {integer} NOT NULL DEFAULT 0;
        ALTER TABLE carrepsa_package ADD COLUMN delivery_photos {integer} NOT NULL DEFAULT 0;
        CREATE TABLE carrepsa_recipient (
            package_id {text} PRIMARY KEY REFERENCES carrepsa_package(id) ON DELETE CASCADE,
            name {text} NOT NULL,
            phone {text},
            email {text},
            address {text},
            meeting {text},
            leave_at {text},
            secret_hash {blob} UNIQUE,
            secret {blob},
            ends_at {integer},
            version {integer} NOT NULL,
            changed_at {integer} NOT NULL,
            CHECK (phone IS NOT NULL OR email IS NOT NULL),
            CHECK ((secret_hash IS NULL) = (secret IS NULL))
        ) {strict};
        CREATE INDEX carrepsa_recipient_end ON carrepsa_recipient (ends_at) WHERE ends_at IS NOT NULL;
        CREATE TABLE carrepsa_proof (
            package_id {text} NOT NULL REFERENCES carrepsa_package(id) ON DELETE CASCADE,
            number {integer} NOT NULL,
            step {text} NOT NULL,
            picture_id {text} REFERENCES picture(id),
            PRIMARY KEY (package_id, number)
        ) {strict-rowless};
        CREATE INDEX carrepsa_proof_picture ON carrepsa_proof (picture_id) WHERE picture_id IS NOT NULL
        """
}
