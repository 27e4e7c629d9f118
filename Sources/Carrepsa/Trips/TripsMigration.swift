extension CarrepsaServices {
    /// A trip is found under the cells of its way (`TripStore.cells`), an offer under the pair of its cells. The
    /// indexes have all columns that the search by detour reads.
    static let trips = """
        ALTER TABLE carrepsa_package ADD COLUMN cell_pair {integer};
        ALTER TABLE carrepsa_package ADD COLUMN coarse_cell_pair {integer};
        CREATE INDEX carrepsa_package_cell_pair ON carrepsa_package (
            cell_pair, deadline_at, size, origin_area_latitude, origin_area_longitude, destination_area_latitude,
            destination_area_longitude, reward, id, owner_id
        ) WHERE state = 'available' AND cell_pair IS NOT NULL;
        CREATE INDEX carrepsa_package_coarse_cell_pair ON carrepsa_package (
            coarse_cell_pair, deadline_at, size, origin_area_latitude, origin_area_longitude,
            destination_area_latitude, destination_area_longitude, reward, id, owner_id
        ) WHERE state = 'available' AND coarse_cell_pair IS NOT NULL;
        CREATE INDEX carrepsa_package_delivered_pair ON carrepsa_package (
            cell_pair, finished_at, reward, money_lock
        ) WHERE state = 'delivered' AND cell_pair IS NOT NULL;
        CREATE TABLE carrepsa_trip (
            id {text} PRIMARY KEY,
            account_id {text} NOT NULL REFERENCES account(id) ON DELETE CASCADE,
            origin {text} NOT NULL,
            destination {text} NOT NULL,
            start_latitude {real} NOT NULL,
            start_longitude {real} NOT NULL,
            end_latitude {real} NOT NULL,
            end_longitude {real} NOT NULL,
            days {integer} NOT NULL,
            detour_metres {integer} NOT NULL,
            size {text},
            created_at {integer} NOT NULL,
            version {integer} NOT NULL
        ) {strict};
        CREATE INDEX carrepsa_trip_account ON carrepsa_trip (account_id, id);
        CREATE TABLE carrepsa_trip_cell (
            cell {integer} NOT NULL,
            trip_id {text} NOT NULL REFERENCES carrepsa_trip(id) ON DELETE CASCADE,
            PRIMARY KEY (cell, trip_id)
        ) {strict-rowless};
        CREATE INDEX carrepsa_trip_cell_trip ON carrepsa_trip_cell (trip_id, cell);
        CREATE TABLE carrepsa_new_offer (
            package_id {text} PRIMARY KEY REFERENCES carrepsa_package(id) ON DELETE CASCADE
        ) {strict-rowless}
        """

    /// The traveller's time zone, in which the days of a trip count.
    static let tripTimeZones = """
        ALTER TABLE carrepsa_trip ADD COLUMN time_zone {text}
        """
}
