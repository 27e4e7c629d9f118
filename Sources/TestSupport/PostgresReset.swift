/// The way from the database of one test to that of the next one.
enum PostgresReset {
    /// Leaves a database as its migrations left it; fails if a test has changed more than rows.
    static let statement = "SELECT fresh.reset()"

    /// Run once in a template.
    static let preparation = [
        "CREATE SCHEMA fresh", keptRows, "CREATE TABLE fresh.moment (transaction bigint, definitions bigint)", reset,
        // Newer than all definitions above.
        "INSERT INTO fresh.moment SELECT pg_current_xact_id()::text::bigint, \(definitions)",
    ]

    /// Renames a database as soon as no session uses it; fails if one stays.
    static func rename(_ name: String, to next: String) -> String {
        """
        DO $$
        BEGIN
            FOR attempt IN 1..100 LOOP
                PERFORM pg_stat_clear_snapshot();
                EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = '\(name)');
                PERFORM pg_sleep(0.005);
            END LOOP;
        END $$;
        ALTER DATABASE \(name) RENAME TO \(next)
        """
    }

    /// Copies the rows that the migrations have added.
    private static let keptRows = """
        DO $$
        DECLARE name text;
        BEGIN
            FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
            LOOP
                IF pg_relation_size(format('public.%I', name)) > 0 THEN
                    EXECUTE format('CREATE TABLE fresh.%I AS TABLE public.%I', 'kept_' || name, name);
                END IF;
            END LOOP;
        END $$
        """

    /// A dropped definition leaves no row with a newer transaction.
    private static let definitions = """
        (SELECT count(*) FROM pg_class) + (SELECT count(*) FROM pg_constraint) + (SELECT count(*) FROM pg_trigger)
        + (SELECT count(*) FROM pg_proc) + (SELECT count(*) FROM pg_type)
        """

    private static let reset = """
        CREATE FUNCTION fresh.reset() RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            moment bigint := (SELECT transaction FROM fresh.moment);
            name text;
        BEGIN
            IF EXISTS (SELECT FROM pg_class WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_attribute WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_constraint WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_index WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_trigger WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_proc WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_namespace WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_statistic WHERE xmin::text::bigint > moment)
                OR (SELECT definitions FROM fresh.moment) <> \(definitions)
                OR EXISTS (SELECT FROM pg_db_role_setting WHERE setdatabase IN
                    (0, (SELECT oid FROM pg_database WHERE datname = current_database())))
            THEN RAISE 'definitions, statistics or settings have changed'; END IF;
            -- Without foreign keys, and without the triggers that protect rows.
            SET LOCAL session_replication_role = replica;
            FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
            LOOP
                IF pg_relation_size(format('public.%I', name)) > 0 THEN
                    EXECUTE format('DELETE FROM public.%I', name);
                END IF;
                IF to_regclass(format('fresh.%I', 'kept_' || name)) IS NOT NULL THEN
                    EXECUTE format('INSERT INTO public.%I SELECT * FROM fresh.%I', name, 'kept_' || name);
                END IF;
            END LOOP;
            -- No migration adds rows to a table with a sequence.
            PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence;
        END $$
        """
}
