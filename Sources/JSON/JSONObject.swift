/// The members of a JSON object, in their original order.
///
/// Names are compared as bytes: two spellings of `é` are two names.
package struct JSONObject: Sendable {
    package struct Member: Sendable, Equatable {
        package var name: String
        package var value: JSON

        package init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }

        package static func == (a: Member, b: Member) -> Bool {
            a.name.hasSameBytes(as: b.name) && a.value == b.value
        }
    }

    package private(set) var members: [Member]

    /// Takes members unchanged; of two with one name the later value counts, at the earlier position.
    package init(_ members: [Member] = []) {
        self.members = []
        self.members.reserveCapacity(members.count)
        for member in members {
            self[member.name] = member.value
        }
    }

    /// Takes members with names that are known to differ.
    init(distinct members: [Member]) {
        self.members = members
    }

    /// Setting `nil` removes the member, setting an existing one replaces its value in place.
    package subscript(_ name: String) -> JSON? {
        get {
            index(of: name).map { members[$0].value }
        }
        set {
            switch (index(of: name), newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    private func index(of name: String) -> Int? {
        // A span lends its elements; an array's iterator would retain and release each of them.
        let members = members.span
        for index in members.indices where members[index].name.hasSameBytes(as: name) { return index }
        return nil
    }
}

extension JSONObject: Equatable {
    /// The order of members does not count (RFC 8259 §1: an object is unordered).
    package static func == (a: JSONObject, b: JSONObject) -> Bool {
        guard a.members.count == b.members.count else { return false }
        return a.members.indices.allSatisfy { index in
            let member = a.members[index]
            return b.members[index].name.hasSameBytes(as: member.name)
                ? b.members[index].value == member.value
                : b[member.name] == member.value
        }
    }
}
