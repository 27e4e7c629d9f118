/// The human being behind an account. Only a name for ids: `Accounts` knows the rest, and the modules below it
/// need no more than to whom a thing belongs.
package enum Person {}

/// An account's id, usable below `Accounts`.
package typealias PersonID = ID<Person>
