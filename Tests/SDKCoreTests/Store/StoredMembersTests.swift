import CoreTestSupport

@testable import SDKCore

@Suite("Members of stored documents")
struct StoredMembersTests {
  private static let members = StoredMembers(
    members: ["n": 7, "null": .null, "list": ["a", "b"], "mixed": ["a", 1]], place: "/x.json")

  @Test(
    "are read, or named in the error",
    arguments: [
      ("n", true, "7"), ("n", false, "7"), ("none", false, nil), ("null", false, nil),
      ("none", true, "none"), ("null", true, "null"), ("list", true, "list"),
      ("list", false, "list"),
    ] as [(String, Bool, String?)])
  func read(name: String, isRequired: Bool, result: String?) throws {
    do throws(SDKError) {
      let value =
        isRequired
        ? try Self.members.required(name, \.int) : try Self.members.optional(name, \.int)
      #expect(value.map(String.init) == result)
    } catch {
      #expect(error.code == .invalidConfiguration && error.subject == "/x.json")
      let cause = "'\(result ?? "")' is missing or invalid"
      #expect(error.message == "could not read '/x.json': \(cause)")
    }
  }

  @Test("are lists only if each element can be read")
  func lists() {
    #expect(Self.members.members["list"]?.list(of: \.string) == ["a", "b"])
    #expect(Self.members.members["mixed"]?.list(of: \.string) == nil)
    #expect(Self.members.members["n"]?.list(of: \.string) == nil)
  }
}
