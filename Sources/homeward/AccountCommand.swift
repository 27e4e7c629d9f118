import Accounts
import ArgumentParser
import Foundation
import Kernel
import Server

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Works with people's accounts.",
        subcommands: [Create.self, ResetLink.self, Operator.self, List.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates an account.",
            discussion: "Without --password-stdin the account's owner chooses a password by the link that is printed."
        )

        @Argument(help: "The email to sign in with.")
        var email: String

        @Argument(help: "The person's name.")
        var name: String

        @Flag(help: "Read the password from standard input.")
        var passwordStdin = false

        @OptionGroup var options: SettingOptions

        func run() async throws {
            let typed = passwordStdin ? readLine(strippingNewline: true) ?? "" : nil
            try await options.withServices { services in
                let password = typed ?? PasswordGenerator.make(random: services.random, groups: 6)
                let account = try await services.accounts.administrators.create(
                    email: email, name: name, password: password)
                Output.line("\(account.name) has an account: \(account.id)")
                if typed == nil { Output.line(try await services.accounts.administrators.resetLink(email: email)) }
            }
        }
    }

    struct ResetLink: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset-link", abstract: "Prints a link for a new password: good once, for an hour."
        )

        @Argument(help: "The account's email.")
        var email: String

        @OptionGroup var options: SettingOptions

        func run() async throws {
            try await options.withServices { services in
                Output.line(try await services.accounts.administrators.resetLink(email: email))
            }
        }
    }

    struct Operator: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "operator", abstract: "Gives an account the rights of an administrator, or removes them."
        )

        @Argument(help: "The account's email, confirmed where mail is set up; or the account's id.")
        var email: String

        @Flag(help: "Takes it away again.")
        var revoke = false

        @OptionGroup var options: SettingOptions

        func run() async throws {
            try await options.withServices { services in
                let account = try await services.accounts.administrators.setOperator(email: email, !revoke)
                Output.line("\(account.name) is \(account.isOperator ? "an administrator" : "no administrator").")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints all accounts: id, email, name, role, operator; with tabs between."
        )

        @OptionGroup var options: SettingOptions

        func run() async throws {
            try await options.withServices { services in
                var after: PersonID?
                repeat {
                    let page = try await services.accounts.administrators.accounts(after: after)
                    for account in page {
                        let columns = [
                            "\(account.id)", account.email ?? "-", account.name, account.role.rawValue,
                            account.isOperator ? "operator" : "-",
                        ]
                        Output.line(columns.joined(separator: "\t"))
                    }
                    after = page.count == Limits.pageSizeMaximum ? page.last?.id : nil
                } while after != nil
            }
        }
    }
}

/// Generated passwords: groups of letters and digits that can't be confused, 20 bits per group.
enum PasswordGenerator {
    private static let symbols = Array("abcdefghjkmnpqrstuvwxyz23456789xk")

    static func make(random: any RandomSource, groups: Int) -> String {
        let words = (0..<groups).map { _ in
            String((0..<4).map { _ in symbols[Int(random.uint64() % 32)] })
        }
        return words.joined(separator: "-")
    }
}
