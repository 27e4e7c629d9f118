import Accounts
import Foundation
import HTTPTypes
import Kernel
import Server
import TestSupport
import Testing

/// Registration and sign-in of parents, and the start page.
@Suite("Family: registration and sign-in")
struct FamilySignUpTests {
    /// Whether the response signs the browser in.
    private static func signsIn(_ reply: Reply) -> Bool {
        reply.header("set-cookie")?.contains("homeward-session=") ?? false
    }

    @Test("F-01-A: Empty fields and a malformed email are marked, and no account is created")
    func registration() async throws {
        try await withFamilies { site in
            let visitor = site.signedOut
            let empty = try await visitor.submit(
                "/accounts", ["app": "family", "name": "", "email": "", "password": "", "dateOfBirth": ""])
            #expect(empty.status == 422)
            #expect(!Self.signsIn(empty))
            let all: Set<String> = ["name", "email", "password", "dateOfBirth"]
            #expect(empty.marked == all)
            for field in all { #expect(!empty.text.contains("id=\"\(field)-error\"></p>"), "\(field)") }
            for malformed in ["ada", "ada@", "@example.org", "ada example.org"] {
                let refused = try await visitor.submit(
                    "/accounts",
                    [
                        "app": "family", "name": "Ada", "email": malformed, "password": "correct horse",
                        "dateOfBirth": "1990-05-01",
                    ])
                #expect(refused.status == 422, "\(malformed)")
                #expect(!Self.signsIn(refused), "\(malformed)")
                #expect(refused.text.contains(AccountMessage.emailMalformed.text), "\(malformed)")
                for value in ["Ada", malformed, "1990-05-01"] {
                    #expect(refused.text.contains("value=\"\(value)\""), "\(malformed) \(value)")
                }
                // The password has to be typed again, because no page contains it.
                #expect(refused.marked == ["email", "password"], "\(malformed)")
                #expect(refused.text.contains(" data-retype"), "\(malformed)")
                #expect(!refused.text.contains("correct horse"), "\(malformed)")
            }
            #expect(try await site.server.services.accounts.administrators.accounts(after: nil).isEmpty)
        }
    }

    @Test("F-01-B: The only empty field is marked, the others keep what was entered, and no account is created")
    func emptyField() async throws {
        let entered = [
            "name": "Ada", "email": "ada@example.org", "password": "correct horse", "dateOfBirth": "1990-05-01",
        ]
        try await withFamilies { site in
            for missing in entered.keys.sorted() {
                let typed = entered.merging([missing: ""]) { $1 }
                let refused = try await site.signedOut.submit(
                    "/accounts",
                    [
                        "app": "family", "name": typed["name"] ?? "", "email": typed["email"] ?? "",
                        "password": typed["password"] ?? "", "dateOfBirth": typed["dateOfBirth"] ?? "",
                    ])
                #expect(refused.status == 422, "\(missing)")
                #expect(!Self.signsIn(refused), "\(missing)")
                // The password has to be typed again, because no page contains it.
                #expect(refused.marked == Set([missing, "password"]), "\(missing)")
                #expect(!refused.text.contains("id=\"\(missing)-error\"></p>"), "\(missing)")
                for (field, text) in typed where field != "password" {
                    #expect(refused.text.contains("value=\"\(text)\""), "\(missing) \(field)")
                }
            }
            #expect(try await site.server.services.accounts.administrators.accounts(after: nil).isEmpty)
        }
    }

    @Test("F-02-A, F-02-B: Anything wrong, swapped or empty gets one answer that doesn't say what was wrong")
    func wrongSignIn() async throws {
        try await withFamilies { site in
            _ = try await site.parent("Ada")
            let tries = [
                ("correct horse", "ada@example.org", 422), ("ada@example.org", "wrong horse", 401),
                ("unknown@example.org", "correct horse", 401), ("unknown@example.org", "wrong horse", 401),
                ("", "", 422), ("ada@example.org", "", 422), ("", "correct horse", 422),
            ]
            for (email, password, status) in tries {
                let name = "\(email), \(password)"
                let refused = try await site.signedOut.submit("/session", ["email": email, "password": password])
                #expect(refused.status == status, "\(name)")
                #expect(refused.text.contains("role=\"alert\">Email or password is wrong.</p>"), "\(name)")
                #expect(refused.marked.isEmpty, "\(name)")
                #expect(refused.text.contains("name=\"email\" type=\"email\" value=\"\(email)\""), "\(name)")
                #expect(refused.text.contains("name=\"password\" type=\"password\" value=\"\""), "\(name)")
                #expect(!Self.signsIn(refused), "\(name)")
            }
            let next = try await site.signedOut.page("/family/account")
            #expect(next.header("location")?.hasPrefix("/sign-in") == true)
        }
    }

    @Test("The start page continues in the app from whose welcome page the person came")
    func startPage() async throws {
        try await withFamilies { site in
            let welcome = try await site.signedOut.page("/family")
            #expect(welcome.text.contains("href=\"/?app=family\" data-back>"))
            let start = try await site.signedOut.page("/?app=family")
            for path in ["/register", "/sign-in"] {
                #expect(start.text.contains("href=\"\(path)?app=family"), "\(path)")
            }
            let form = try await site.signedOut.page("/register?app=family&return=%2Ffamily")
            #expect(form.text.contains("name=\"app\" value=\"family\""))
            #expect(form.text.contains("name=\"return\" value=\"/family\""))
            #expect(form.text.contains("id=\"dateOfBirth\""))
        }
    }
}
