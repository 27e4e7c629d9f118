extension CarrepsaServices {
    /// `…_latitude` and `…_longitude` are exact; `…_area_…` is the centre of the circle that everyone may know.
    static let places = """
        ALTER TABLE carrepsa_package ADD COLUMN origin_latitude {real};
        ALTER TABLE carrepsa_package ADD COLUMN origin_longitude {real};
        ALTER TABLE carrepsa_package ADD COLUMN origin_area_latitude {real};
        ALTER TABLE carrepsa_package ADD COLUMN origin_area_longitude {real};
        ALTER TABLE carrepsa_package ADD COLUMN origin_times {text};
        ALTER TABLE carrepsa_package ADD COLUMN destination_latitude {real};
        ALTER TABLE carrepsa_package ADD COLUMN destination_longitude {real};
        ALTER TABLE carrepsa_package ADD COLUMN destination_area_latitude {real};
        ALTER TABLE carrepsa_package ADD COLUMN destination_area_longitude {real};
        ALTER TABLE carrepsa_package ADD COLUMN destination_times {text};
        ALTER TABLE carrepsa_package ADD COLUMN size {text};
        CREATE INDEX carrepsa_package_ownerless_points ON carrepsa_package (id)
            WHERE owner_id IS NULL AND (origin_latitude IS NOT NULL OR destination_latitude IS NOT NULL
                OR origin_times IS NOT NULL OR destination_times IS NOT NULL);
        CREATE TABLE carrepsa_area (
            account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            latitude {real} NOT NULL,
            longitude {real} NOT NULL,
            created_at {integer} NOT NULL,
            PRIMARY KEY (account_id, latitude, longitude)
        ) {strict-rowless}
        """
}
