import FoundationEssentials
import SwiftASN1
import X509

/// A PKCS #7 message that holds certificates and no signature ("certs-only").
enum PKCS7 {
  static func encode(_ certificates: [Certificate]) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.appendConstructedNode(identifier: .sequence) { message in
      try message.serialize(try ASN1ObjectIdentifier(elements: [1, 2, 840, 113549, 1, 7, 2]))
      try message.appendConstructedNode(identifier: context(0)) { content in
        try content.appendConstructedNode(identifier: .sequence) { signed in
          try signed.serialize(1)
          signed.appendConstructedNode(identifier: .set) { _ in }
          try signed.appendConstructedNode(identifier: .sequence) { data in
            try data.serialize(try ASN1ObjectIdentifier(elements: [1, 2, 840, 113549, 1, 7, 1]))
          }
          try signed.appendConstructedNode(identifier: context(0)) { list in
            for certificate in certificates { try list.serialize(certificate) }
          }
          signed.appendConstructedNode(identifier: .set) { _ in }
        }
      }
    }
    return serializer.serializedBytes
  }

  private static func context(_ number: UInt) -> ASN1Identifier {
    ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
  }
}
