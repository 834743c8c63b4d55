import Glibc

/// The words of the C library for an error number, in lower case.
func systemText(_ number: Int32 = errno) -> String {
  let text = String(cString: strerror(number))
  return text.prefix(1).lowercased() + text.dropFirst()
}
