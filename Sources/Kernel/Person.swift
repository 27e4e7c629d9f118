/// The person behind an account. Only a type parameter for ids: modules below `Accounts` need only a person's id.
package enum Person {}

/// An account's id, for modules below `Accounts`.
package typealias PersonID = ID<Person>
