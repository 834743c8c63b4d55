import Glibc

/// How many descriptors this process may have open.
package enum DescriptorLimit {
  package static var current: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 64 }
    return Int(min(limit.rlim_cur, 1 << 20))
  }
}
