import Quotas
package import Storage

extension PictureLibrary {
    /// The migrations of this module. They run before those of Accounts, whose avatars refer to pictures, so
    /// `owner_id` has no foreign key. The tables of the quotas, which limit a library, come first.
    package static let migrations: [Migration] =
        AccountQuotas.migrations + [
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
            ),
            // The size of a picture in all sizes. Those of earlier versions are measured by a job.
            Migration(
                module: "pictures",
                name: "0002-sizes",
                sql: """
                    ALTER TABLE picture ADD COLUMN byte_count {integer} CHECK (byte_count >= 0);
                    CREATE INDEX picture_without_size ON picture (id) WHERE byte_count IS NULL
                    """
            ),
        ]
}
