/// The way from the database of one test to that of the next one.
enum PostgresReset {
    /// Makes a database as its migrations left it; fails if a test has changed more than rows, or if another session
    /// is open.
    static let statement = "SELECT fresh.reset()"

    /// Run once in a template.
    static let preparation = [
        "CREATE SCHEMA fresh", keptRows, "CREATE TABLE fresh.moment (transaction bigint)", reset,
        // Newer than all definitions above.
        "INSERT INTO fresh.moment VALUES (pg_current_xact_id()::text::bigint)",
    ]

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

    private static let reset = """
        CREATE FUNCTION fresh.reset() RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            moment bigint := (SELECT transaction FROM fresh.moment);
            name text;
        BEGIN
            FOR attempt IN 1..100 LOOP
                PERFORM pg_stat_clear_snapshot();
                EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid());
                IF attempt = 100 THEN RAISE 'another session is open'; END IF;
                PERFORM pg_sleep(0.005);
            END LOOP;
            IF EXISTS (SELECT FROM pg_class WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_attribute WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_constraint WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_index WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_trigger WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_proc WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_namespace WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_statistic WHERE xmin::text::bigint > moment)
                OR EXISTS (SELECT FROM pg_db_role_setting)
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
            PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence;
        END $$
        """
}
