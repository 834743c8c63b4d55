// What nearly every test uses, so that a test imports its own module, this one and what is special.
@_exported public import HTTP
@_exported public import JSON
@_exported public import POSIX
@_exported public import Primitives
@_exported public import Synchronization
@_exported public import Testing
