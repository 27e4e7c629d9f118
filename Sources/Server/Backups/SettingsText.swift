/// The settings as text, for backups. It contains secrets, so its description and its reflection don't show it.
package struct SettingsText: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One `HOMEWARD_NAME=value` a line.
    let text: String

    init(_ text: String) { self.text = text }

    package var description: String { "SettingsText(…)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
