package import Storage

extension PictureLibrary {
    /// The migrations of this module. They run before those of Accounts, whose avatars refer to pictures, so
    /// `owner_id` has no foreign key.
    package static let migrations: [Migration] = [
        Migration(
            module: "pictures",
            name: "0001-pictures",
            sql: """
                CREATE TABLE picture (
                    id {text} PRIMARY KEY CHECK (length(id) = 36),
                    owner_id {text} NOT NULL CHECK (length(owner_id) = 36),
                    width {integer} NOT NULL CHECK (width > 0),
                    height {integer} NOT NULL CHECK (height > 0),
                    media_type {text} NOT NULL,
                    digest {blob} NOT NULL CHECK (length(digest) = 32),
                    created_at {integer} NOT NULL
                ) {strict};
                CREATE INDEX picture_by_owner ON picture (owner_id, id);
                CREATE TABLE object_garbage (
                    object_key {text} PRIMARY KEY,
                    due_at {integer} NOT NULL
                ) {strict};
                CREATE INDEX object_garbage_by_due ON object_garbage (due_at)
                """
        )
    ]
}
