import Storage

// Enums whose raw values appear in the tables' `CHECK` constraints.
extension TrackerState: SQLBindable, SQLReadable {}
extension SwitchState: SQLBindable, SQLReadable {}
extension CommandKind: SQLBindable, SQLReadable {}
extension CommandState: SQLBindable, SQLReadable {}
extension FixSource: SQLBindable, SQLReadable {}
extension SourceKind: SQLBindable, SQLReadable {}
extension SpeedUnit: SQLBindable, SQLReadable {}
extension QuarantineReason: SQLBindable, SQLReadable {}
extension AlertMode: SQLBindable, SQLReadable {}
extension ItemAccess: SQLBindable, SQLReadable {}
extension GeofenceKind: SQLBindable, SQLReadable {}
extension ItemAlertKind: SQLBindable, SQLReadable {}
