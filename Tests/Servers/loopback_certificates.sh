# Certificates of CurlTests, made in the working directory: a root, its intermediate, leaves, and
# strangers. Every leaf is for localhost and 127.0.0.1 unless its name says otherwise.
set -eu
cat > ca.cnf <<END
[ca]
default_ca = own
[own]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
[authority]
basicConstraints = critical,CA:TRUE
subjectKeyIdentifier = hash
[leaf]
basicConstraints = CA:FALSE
END
: > index; echo 1000 > serial
request() {
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
    -keyout "$1.key" -out "$1.csr" -subj "/CN=$2" -addext "subjectAltName=$3"
}
sign() {
  openssl ca -batch -notext -config ca.cnf -extensions "$3" -startdate "$4" -enddate "$5" \
    -in "$1.csr" -out "$6" -cert "$2.pem" -keyfile "$2.key"
}
root() {
  openssl req -x509 -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30000 \
    -keyout "$1.key" -out "$1.pem" -subj "/CN=$2"
}
early=20200101000000Z late=20991231000000Z
root root "Test Root"; root stranger "Test Stranger"
request issuer "Test Issuer" DNS:issuer.invalid
sign issuer root authority $early $late issuer.pem
sign issuer stranger authority $early $late cross.pem
own=DNS:localhost,IP:127.0.0.1
for name in leaf expired future untrusted client second; do request $name localhost $own; done
request mail localhost email:localhost@localhost
openssl req -new -key mail.key -out nameless.csr -subj /CN=localhost
request other other.example DNS:other.example,DNS:www.other.example
request address localhost DNS:127.0.0.1
sign leaf issuer leaf $early $late leaf.pem
sign expired issuer leaf $early 20260101000000Z expired.pem
sign future issuer leaf 20980101000000Z $late future.pem
sign untrusted stranger leaf $early $late untrusted.pem
for name in client second; do sign $name issuer leaf $early $late $name.pem; done
for name in other mail nameless address; do sign $name issuer leaf $early $late $name.pem; done
cp mail.key nameless.key
for name in leaf expired future other client second mail nameless address; do cat $name.pem issuer.pem > $name-chain.pem; done
cat leaf.pem issuer.pem cross.pem stranger.pem > padded-chain.pem
cp untrusted.pem untrusted-chain.pem
sed 's/^/ /' root.pem > indented.pem
{ echo note; sed '2s/M/*/' root.pem; } > damaged.pem
for name in leaf padded; do cp leaf.key $name-chain.key 2>/dev/null; done
for name in expired future other untrusted mail nameless address; do cp $name.key $name-chain.key; done
