extension CarrepsaServices {
    /// A conversation is between the owner and one carrier of a package: another carrier has another conversation.
    /// `digest` is the SHA-256 of a message's content in hexadecimal digits, which stays when the content is deleted
    /// (decision 0076). A picture in a message can't be deleted, because the digest covers it.
    static let messages = """
        CREATE TABLE carrepsa_conversation (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            package_id {text} NOT NULL REFERENCES carrepsa_package(id) ON DELETE CASCADE,
            carrier_id {text} REFERENCES account(id) ON DELETE SET NULL,
            messages {integer} NOT NULL CHECK (messages >= 0),
            owner_read {integer} NOT NULL,
            carrier_read {integer} NOT NULL
        ) {strict};
        CREATE UNIQUE INDEX carrepsa_conversation_people ON carrepsa_conversation (package_id, carrier_id);
        CREATE INDEX carrepsa_conversation_carrier ON carrepsa_conversation (carrier_id);
        CREATE TABLE carrepsa_message (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            package_id {text} NOT NULL REFERENCES carrepsa_package(id) ON DELETE CASCADE,
            conversation_id {text} NOT NULL REFERENCES carrepsa_conversation(id) ON DELETE CASCADE,
            number {integer} NOT NULL CHECK (number >= 1),
            role {text} NOT NULL,
            author_id {text} REFERENCES account(id) ON DELETE SET NULL,
            at {integer} NOT NULL,
            body {text},
            picture_id {text} REFERENCES picture(id),
            latitude_micro {integer},
            longitude_micro {integer},
            salt {blob},
            digest {text} NOT NULL CHECK (length(digest) = 64)
        ) {strict};
        CREATE UNIQUE INDEX carrepsa_message_number ON carrepsa_message (conversation_id, number);
        CREATE UNIQUE INDEX carrepsa_message_package ON carrepsa_message (package_id, id);
        CREATE INDEX carrepsa_message_author ON carrepsa_message (author_id, id);
        CREATE INDEX carrepsa_message_picture ON carrepsa_message (picture_id) WHERE picture_id IS NOT NULL;
        CREATE INDEX carrepsa_message_orphaned ON carrepsa_message (id)
            WHERE author_id IS NULL AND salt IS NOT NULL;
        CREATE TABLE carrepsa_message_report (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            message_id {text} NOT NULL REFERENCES carrepsa_message(id) ON DELETE CASCADE,
            reporter_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            reason {text},
            created_at {integer} NOT NULL,
            closed_at {integer},
            closed_by {text} REFERENCES account(id) ON DELETE SET NULL
        ) {strict};
        CREATE UNIQUE INDEX carrepsa_message_report_once ON carrepsa_message_report (message_id, reporter_id);
        CREATE INDEX carrepsa_message_report_reporter ON carrepsa_message_report (reporter_id);
        CREATE INDEX carrepsa_message_report_closer ON carrepsa_message_report (closed_by);
        CREATE INDEX carrepsa_message_report_open ON carrepsa_message_report (id) WHERE closed_at IS NULL;
        CREATE TABLE carrepsa_block (
            person_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            blocked_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            created_at {integer} NOT NULL,
            PRIMARY KEY (person_id, blocked_id)
        ) {strict-rowless};
        CREATE INDEX carrepsa_block_blocked ON carrepsa_block (blocked_id)
        """
}
