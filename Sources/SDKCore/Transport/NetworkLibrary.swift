import Curl

/// The libraries that send requests, loaded on first use.
public enum NetworkLibrary {
  /// `libcurl/8.5.0 OpenSSL/3.0.13 …`.
  ///
  /// - Throws: ``SDKError/Code/unavailable`` when libcurl is missing or unsuitable.
  public static func version() throws(SDKError) -> String {
    try attempt("could not load libcurl") { try CurlTransport.libraryVersion() }
  }
}
