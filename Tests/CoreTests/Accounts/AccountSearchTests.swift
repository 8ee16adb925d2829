import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import Accounts

@Suite("Finding accounts")
struct AccountSearchTests {
    @Test("by address, number, either name, user name, and any id")
    func finds() async throws {
        try await withPeople { people in
            let ann = try await people.account(
                "Ann Miller", emails: ["ann@example.com"], phones: ["+4930123456"], identities: ["001999.bb.1200"])
            try await people.account("Bob Stone", emails: ["bob@example.com"])
            try await people.database.pool.withConnection { connection in
                try connection.execute(
                    "update accounts set user_name = 'Annie', user_name_key = 'annie' where id = \(ann)")
            }
            let session = try await people.session(ann)
            let typed = [
                "ann@", "ANN@Example.com", "+49 30 123", "+4930", "ann", "Ann Mil", "mill", "anni", "001999.bb.1200",
                ann.uuidString, session.uuidString, try await people.identity("001999.bb.1200").uuidString,
            ]
            for text in typed {
                let page = try await people.search.page(text, after: nil, limit: 10, by: People.commandLine)
                #expect(page.accounts.map { $0["id"]?.string } == [ann.uuidString.lowercased()], "\(text)")
            }
            for text in ["nobody", "x@", "+1", "ann%", "_nn", "\\", "001999.bb"] {
                let page = try await people.search.page(text, after: nil, limit: 10, by: People.commandLine)
                #expect(page.accounts.isEmpty, "\(text)")
            }
        }
    }

    @Test("the reference of a request finds its account, as users read it out and as pages show it")
    func reference() async throws {
        try await withPeople { people in
            let ann = try await people.account("Ann", identities: ["0CXGZ8EB7GN09"])
            let bob = try await people.account("Bob")
            try await people.database.pool.withConnection { connection in
                try connection.execute(
                    """
                    insert into audit_inbox (action, outcome, reason, account_id, request_id)
                    values ('sign_in', 'refused', 'invalid_credentials', \(bob), 'ng89gt61q7jq4'),
                           ('sign_in', 'refused', 'invalid_credentials', \(bob), 'ng89gt61q7jq4'),
                           ('sign_in', 'refused', 'invalid_credentials', \(bob), 'y1a53wv7wxxwc.Trace_1')
                    """)
            }
            for (text, account) in [
                ("ng89gt61q7jq4", bob), ("NG89GT61Q7JQ4", bob), ("Reference: ng89gt61q7jq4", bob),
                ("参考编号：ng89gt61q7jq4", bob), ("y1a53wv7wxxwc.Trace_1", bob), ("0CXGZ8EB7GN09", ann),
            ] {
                let page = try await people.search.page(text, after: nil, limit: 10, by: People.commandLine)
                #expect(page.accounts.map { $0["id"]?.string } == [account.uuidString.lowercased()], "\(text)")
            }
            for text in ["ng89gt61q7jq", "ng89gt61q7jq5", "Ann ng89gt61q7jq4"] {
                let page = try await people.search.page(text, after: nil, limit: 10, by: People.commandLine)
                #expect(page.accounts.isEmpty, "\(text)")
            }
        }
    }

    @Test("pages follow each other without gaps and duplicates", arguments: ["", "ann", "ann-@", "+4930"])
    func pages(text: String) async throws {
        try await withPeople { people in
            var all: Set<String> = []
            for number in 0..<23 {
                let id = try await people.account(
                    "Ann \(number % 3)",
                    emails: [number % 2 == 0 ? "ann-@example\(number).com" : "ann-@e\(number).org"],
                    phones: ["+4930100\(number + 100)"])
                all.insert(id.uuidString.lowercased())
            }
            var seen: [String] = []
            var cursor: SearchCursor?
            repeat {
                let page = try await people.search.page(text, after: cursor, limit: 5, by: People.commandLine)
                seen += page.accounts.compactMap { $0["id"]?.string }
                cursor = try page.next.map { try #require(SearchCursor($0.description)) }
            } while cursor != nil
            #expect(Set(seen) == all)
            // A search with matches by name and by address lists an account once for each; a search with one kind lists
            // it once.
            if text != "ann" { #expect(seen.count == all.count) }
        }
    }

    @Test("a user name with a digit has all its pages, even if an id with that text appears between them")
    func digits() async throws {
        try await withPeople { people in
            for number in 100..<112 {
                let id = try await people.account("Ann")
                try await people.database.pool.withConnection { connection in
                    try connection.execute(
                        """
                        update accounts set user_name = \("User\(number)"), user_name_key = \("user\(number)") where id = \(id)
                        """)
                }
            }
            var (found, pages, cursor): ([String], Int, SearchCursor?) = ([], 0, nil)
            repeat {
                let page = try await people.search.page("user1", after: cursor, limit: 5, by: People.commandLine)
                found += page.accounts.compactMap { $0["found"]?.string }
                (cursor, pages) = (page.next, pages + 1)
                if pages == 1 { try await people.account("Bob", identities: ["user1"]) }
            } while cursor != nil
            #expect(found == (100..<112).map { "user\($0)" } && pages == 3)
        }
    }

    @Test("a result by id is one page")
    func exact() async throws {
        try await withPeople { people in
            let ann = try await people.account("Ann", identities: ["001999"])
            try await people.database.pool.withConnection { connection in
                try connection.execute(
                    """
                    insert into identities (id, account_id, provider, realm, subject, linked_by)
                    values (gen_random_uuid(), \(ann), 'google', '', '001999', 'no_match')
                    """)
            }
            let page = try await people.search.page("001999", after: nil, limit: 1, by: People.commandLine)
            #expect(page.accounts.count == 1 && page.next == nil)
        }
    }

    @Test(
        "only our own cursors are accepted",
        arguments: [
            "", "x", "x.y", ".", "01a1fe3a-da0a-7e8d-b31b-94d3827ee9d2", "01a1fe3a-da0a-7e8d-b31b-94d3827ee9d2.!",
        ])
    func cursors(text: String) {
        #expect(SearchCursor(text) == nil)
    }
}
