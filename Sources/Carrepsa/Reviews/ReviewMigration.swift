extension CarrepsaServices {
    /// `role` is the role of the author. `digest` is the SHA-256 of the text in hexadecimal digits, which stays when
    /// the text is deleted (decision 0076). The indexes of packages count deliveries; SQLite needs the state in them to
    /// read nothing else.
    static let reviews = """
        CREATE TABLE carrepsa_review (
            id {text} PRIMARY KEY CHECK (length(id) = 36),
            package_id {text} NOT NULL REFERENCES carrepsa_package(id) ON DELETE CASCADE,
            role {text} NOT NULL,
            author_id {text} REFERENCES account(id) ON DELETE SET NULL,
            subject_id {text} REFERENCES account(id) ON DELETE SET NULL,
            at {integer} NOT NULL,
            on_time {integer} NOT NULL CHECK (on_time IN (0, 1)),
            careful {integer} NOT NULL CHECK (careful IN (0, 1)),
            friendly {integer} NOT NULL CHECK (friendly IN (0, 1)),
            body {text},
            salt {blob},
            digest {text} NOT NULL CHECK (length(digest) = 64)
        ) {strict};
        CREATE UNIQUE INDEX carrepsa_review_role ON carrepsa_review (package_id, role);
        CREATE INDEX carrepsa_review_subject ON carrepsa_review (subject_id, id);
        CREATE INDEX carrepsa_review_author ON carrepsa_review (author_id, id);
        CREATE INDEX carrepsa_review_orphaned ON carrepsa_review (id)
            WHERE (author_id IS NULL OR subject_id IS NULL) AND salt IS NOT NULL;
        CREATE INDEX carrepsa_package_carried ON carrepsa_package (carrier_id, state) WHERE state = 'delivered';
        CREATE INDEX carrepsa_package_sent ON carrepsa_package (owner_id, state) WHERE state = 'delivered';
        CREATE TABLE carrepsa_review_reply (
            review_id {text} PRIMARY KEY REFERENCES carrepsa_review(id) ON DELETE CASCADE,
            package_id {text} NOT NULL REFERENCES carrepsa_package(id) ON DELETE CASCADE,
            author_id {text} REFERENCES account(id) ON DELETE SET NULL,
            at {integer} NOT NULL,
            body {text},
            salt {blob},
            digest {text} NOT NULL CHECK (length(digest) = 64)
        ) {strict};
        CREATE UNIQUE INDEX carrepsa_review_reply_package ON carrepsa_review_reply (package_id, review_id);
        CREATE INDEX carrepsa_review_reply_author ON carrepsa_review_reply (author_id)
        """
}
