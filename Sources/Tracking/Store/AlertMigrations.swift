extension TrackingServices {
    /// People who got separation alerts without having chosen a mode keep getting them (docs/decisions/0091).
    static let answeredAlertModes = """
        INSERT INTO alert_setting (account_id, mode)
        SELECT DISTINCT account_id, 'everyTime' FROM item_alert WHERE kind = 'separation'
        ON CONFLICT (account_id) DO NOTHING
        """
}
