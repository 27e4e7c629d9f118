import Storage

// Enums whose cases are words of the tables' CHECKs.
extension TrackerState: SQLBindable, SQLReadable {}
extension SwitchState: SQLBindable, SQLReadable {}
extension CommandKind: SQLBindable, SQLReadable {}
extension CommandState: SQLBindable, SQLReadable {}
extension FixSource: SQLBindable, SQLReadable {}
extension SourceKind: SQLBindable, SQLReadable {}
extension SpeedUnit: SQLBindable, SQLReadable {}
extension QuarantineReason: SQLBindable, SQLReadable {}
extension AlertMode: SQLBindable, SQLReadable {}
