import Glibc

/// The processors of the machine.
package enum Processors {
  /// How many can be used now, at least 1.
  package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
