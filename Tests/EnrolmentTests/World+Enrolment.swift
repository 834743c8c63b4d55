import CoreTestSupport
import Enrolment

extension World {
  /// A profile of a program that has the enrolment services.
  convenience init(_ settings: JSONObject = [:]) throws {
    try self.init(settings, enrolment: .all())
  }

  /// The same, of a program that asks a person.
  convenience init(_ settings: JSONObject, asking questions: EnrolmentQuestions) throws {
    try self.init(settings, enrolment: .all(asking: questions))
  }
}
