import Arguments
import Testing
import Foundation

@Suite struct ManualPageTests {
  @Test func dump() throws {
    for page in Demo.table.manual.pages(date: ManualDate(year: 2025, month: 11, day: 5)!) {
      try page.text.write(toFile: "/tmp/argdemo/\(page.name)", atomically: true, encoding: .utf8)
    }
    try Demo.table.manual.bashCompletion().write(toFile: "/tmp/argdemo/demo.bash", atomically: true, encoding: .utf8)
    try Demo.table.manual.zshCompletion().write(toFile: "/tmp/argdemo/_demo", atomically: true, encoding: .utf8)
    try Demo.table.manual.fishCompletion().write(toFile: "/tmp/argdemo/demo.fish", atomically: true, encoding: .utf8)
  }
}
