// What nearly every test of the core and of the modules above it uses.
@_exported public import JOSE
@_exported public import OAuth
@_exported public import OpenSSL
@_exported public import Pinning
@_exported public import SDKCore
@_exported public import TestSupport
