import TestSupport

@testable import HTTP

@Suite("A date of a header field (RFC 9110 section 5.6.7)")
struct HTTPDateTests {
  @Test(
    "is read in each of the three forms",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
      ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
      ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
      ("Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
      ("Thursday, 01-Jan-70 00:00:00 GMT", "1970-01-01T00:00:00Z"),
      ("Fri, 31 Dec 2038 23:59:59 GMT", "2038-12-31T23:59:59Z"),
      ("Friday, 31-Dec-38 23:59:59 GMT", "2038-12-31T23:59:59Z"),
      ("Fri Dec 31 23:59:59 2038", "2038-12-31T23:59:59Z"),
      ("Tue, 29 Feb 2028 12:00:00 GMT", "2028-02-29T12:00:00Z"),
      ("Wednesday, 31-Dec-69 00:00:00 GMT", "2069-12-31T00:00:00Z"),
      ("Fri, 31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59Z"),
      // The name of the day is not compared with the date.
      ("Mon, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
    ])
  func read(text: String, expected: String) {
    #expect(HTTPDate.read(text)?.description == expected)
  }

  /// The method of RFC 6265 section 5.1.1: by words in any order.
  @Test(
    "of a cookie is read as browsers read it",
    arguments: [
      ("Wed, 09-Nov-1999 23:12:40 GMT", "1999-11-09T23:12:40Z"),
      ("Wednesday, 09-Nov-99 23:12:40 GMT", "1999-11-09T23:12:40Z"),
      ("Tue, 18 Oct 2011 07:42:42.123 GMT", "2011-10-18T07:42:42Z"),
      ("18 Oct 2011 07:42:42 GMT", "2011-10-18T07:42:42Z"),
      ("8 Oct 2011 7:42:42 GMT", "2011-10-08T07:42:42Z"),
      ("8 Oct 2011 7:2:42 GMT", "2011-10-08T07:02:42Z"),
      ("Oct 18 2011 07:42:42 GMT", "2011-10-18T07:42:42Z"),
      ("Tue Oct 18 2011 07:05:03 GMT+0000 (GMT)", "2011-10-18T07:05:03Z"),
      ("09 Jun 2021 10:18:14 GMT", "2021-06-09T10:18:14Z"),
      ("10:18:14 GMT 09 2021 jUnE", "2021-06-09T10:18:14Z"),
      // As in the tests of http-state: the first time counts, also if there is no such time.
      ("Sat, 15-Apr-17 91:22:33 21:01:22", nil), ("98 April 17 21:01:22", nil),
      ("Sat, 15-Apr-17 21:01:22 91:22:33", "2017-04-15T21:01:22Z"),
      ("Sat, 15-Apr-17 ::00 21:01:22", "2017-04-15T21:01:22Z"),
      ("15-Sat, Apr 21:01:22 GMT 2017", "2017-04-15T21:01:22Z"),
      ("\"Sat, 15-Apr-17\\\"21:01:22\\\"GMT\"", "2017-04-15T21:01:22Z"),
      ("Tue, 31 Dec 2030 24:00:00 GMT", nil), ("1 jan 1600 00:00:00", nil), ("tomorrow", nil),
      ("99 Jix 9999 01:01:01 ABC", nil), ("16 Apr 2017 40:46:00", nil),
      ("02-Aug-2070 00:00:00", "2070-08-02T00:00:00Z"),
      ("02-Aug-70 00:00:00", "1970-08-02T00:00:00Z"),
      ("02-Aug-69 00:00:00", "2069-08-02T00:00:00Z"), ("2 aug 1601 0:0:0", "1601-08-02T00:00:00Z"),
      ("01-Jan-100 00:00:00", nil), ("01-Jan-01000 00:00:00", nil), ("1 Jan 2030", nil),
      ("Jan 2030 00:00:00", nil), ("1 2030 00:00:00", nil), ("1 Jan 00:00:00", nil),
      ("1 Jan 2030 00:00", nil), ("1 Jan 2030 00:60:00", nil), ("1 Jan 2030 000:00:00", nil),
      ("1 Jan 2030 0a:00:00", nil),
      ("1 Jan 2030 00:0a:00", nil), ("1 Jan 2030 00:00:0a", "2030-01-01T00:00:00Z"),
      ("1 Jan 2030 00:00:00:99", "2030-01-01T00:00:00Z"), ("1 Jan 2030 :00:00", nil),
      ("1 Jan 2030 23:59:60", nil), ("32 Jan 2030 00:00:00", nil), ("0 Jan 2030 00:00:00", nil),
      ("30 Feb 2030 00:00:00", nil), ("1 Ja 2030 00:00:00", nil),
      ("1\tJan;2030,00:00:00", "2030-01-01T00:00:00Z"),
      ("1st January 2030 12:00:00pm", "2030-01-01T12:00:00Z"), ("", nil),
      ("\u{FF11} Jan 2030 00:00:00", nil),
    ] as [(String, String?)])
  func cookieDates(text: String, expected: String?) {
    #expect(HTTPDate.read(text)?.description == expected)
  }
}
