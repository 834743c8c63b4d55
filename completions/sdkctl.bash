# bash completion for sdkctl, generated from its command table

_sdkctl_words() {
  REPLY=
  case "$1${2+:$2}" in
    '') REPLY='profile pin identity register account login token fetch exec credential logout deregister completion help version' ;;
    'profile') REPLY='add list show use set unset rename remove import' ;;
    'pin') REPLY='add list show remove hash check edit lint plan update backup history import export' ;;
    'identity') REPLY='list show import export delete csr check renew obtain' ;;
    'register') REPLY='show update user' ;;
    'account') REPLY='create reset-password' ;;
    'login') REPLY='password assertion exchange form respond install-handler' ;;
    'token') REPLY='decode verify check lint diff jwk list introspect userinfo refresh revoke' ;;
    'credential') REPLY='git docker kubectl aws' ;;
  esac
}

_sdkctl_options() {
  REPLY=
  case "$1${2+:$2}" in
    '') REPLY='--version -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'profile') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'profile add') REPLY='--preset --issuer --resource-url --client-id --scope --ca-file --insecure-loopback --pin -y --yes -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'profile list') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'profile show') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'profile use') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'profile set') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'profile unset') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'profile rename') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'profile remove') REPLY='-y --yes -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'profile import') REPLY='-y --yes -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin add') REPLY='--host --role --subdomains --expires --policy --comment --no-backup --proxy -y --yes --password-stdin --password-file --legacy --servername --connect --connect-timeout --resolve --connect-to -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin list') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin show') REPLY='--offline --servername --connect --connect-timeout --resolve --connect-to -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin remove') REPLY='--proxy -y --yes -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin hash') REPLY='--role --ca-file --password-stdin --password-file --legacy --servername --connect --connect-timeout --resolve --connect-to -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin check') REPLY='--within --parallel --junit --servername --connect --connect-timeout --resolve --connect-to -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin edit') REPLY='--policy --expires --comment --no-backup -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin lint') REPLY='--within --strict -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin plan') REPLY='--within -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin update') REPLY='--role --keep -y --yes --from --signed-by --replace -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin backup') REPLY='--type --directory -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin history') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin import') REPLY='--format --host --replace --strict -y --yes -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'pin export') REPLY='--format --strict --sign --valid -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'identity') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'identity list') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'identity show') REPLY='--pem -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'identity import') REPLY='--host --name --replace -f --force --key-file --key-uri --chain --legacy --password-stdin --password-file --seal --passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'identity export') REPLY='--format -o --output --no-key --legacy --curl --env --prefix --password-stdin --password-file --no-password --passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'identity delete') REPLY='-y --yes -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'identity csr') REPLY='--subject --key-type --host --same-key --key-uri --der --seal --passphrase-file --dns --email --uri --ip -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'identity check') REPLY='--expires-in -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'identity renew') REPLY='--all --within --interactive --passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'identity obtain') REPLY='--name --interactive --seal --passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'register') REPLY='-f --force --initial-access-token-stdin --initial-access-token-file --scope --client-name --callback-port --redirect-uri --auth-method --client-id --client-secret-stdin --client-secret-file --client-key-file --client-certificate --identity --certificate-san --encrypted-responses --passphrase-file --software-id --software-version --software-statement-file --contact -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'register show') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'register update') REPLY='--scope --client-name --callback-port --redirect-uri --auth-method --client-key-file --client-certificate --identity --certificate-san --encrypted-responses --passphrase-file --software-id --software-version --software-statement-file --contact -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'register user') REPLY='--idp --scope --browser --no-browser -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'account') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'account create') REPLY='--email --browser --no-browser -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'account reset-password') REPLY='--email --browser --no-browser -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'login') REPLY='--browser --no-browser --device --manual --scheme --scope --user --implicit --anonymous --login-hint --prompt --acr --max-age --idp --resource --dpop --no-dpop --passphrase-file --authorization-details --callback-port --response-mode --par --no-par --jar --no-jar -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'login password') REPLY='--password-stdin --password-file --scope --resource --dpop --no-dpop --passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'login assertion') REPLY='--assertion-stdin --assertion-file --subject --scope --resource --dpop --no-dpop --passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'login exchange') REPLY='--token-stdin --token-file --token-type --audience --scope --resource --dpop --no-dpop --passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'login form') REPLY='--password-stdin --password-file --passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'login respond') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'login install-handler') REPLY='--remove -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'token') REPLY='--header --curl --env --passphrase-file --min-ttl --force-new --id-token --interactive --user --implicit --anonymous --cookie --cookie-for --cookie-jar --scope --audience --proof-for -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'token decode') REPLY='--user --implicit --anonymous --id-token --key -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'token verify') REPLY='--id-token --alg --leeway --at --allow-no-exp --user --implicit --anonymous --issuer --jwks --key --secret-stdin --secret-file --secret-base64 --decrypt-key --iss --aud --sub --azp --typ --nonce --access-token-file --bound-to -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'token check') REPLY='--min-ttl --scope --aud --acr --iss --id-token --user --implicit --anonymous -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'token lint') REPLY='--strict --id-token --user --implicit --anonymous -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'token diff') REPLY='--id-token --user --implicit --anonymous -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'token jwk') REPLY='--set --pem --thumbprint --x5t --generate --private -o --output --kid --use --alg -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'token list') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'token introspect') REPLY='--user --implicit --anonymous --refresh-token --signed --passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'token userinfo') REPLY='--passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'token refresh') REPLY='--user --implicit --anonymous --passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'token revoke') REPLY='--user --implicit --anonymous --refresh-token --passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'fetch') REPLY='--user --implicit --anonymous --unauth -X --request -H --header -d --data -o --output --interactive --param --encoding -F --form -i --include -I --head --fail --no-fail -r --range -L --location --no-location --compressed --max-size -w --write-out -O --remote-name --output-dir --create-dirs --clobber --no-clobber --continue --etag-save --etag-compare --retry --connect-timeout --resolve --connect-to --http3 --identity --no-identity --passphrase-file --dry-run --as-curl --batch --parallel --parallel-max-host --rate --fail-early -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'exec') REPLY='--min-ttl --force-new --token-as --ca-as --interactive --user --implicit --anonymous --passphrase-file --scope --audience -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'credential') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'credential git') REPLY='--username --write --min-ttl --interactive --user --implicit --anonymous --scope --audience -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'credential docker') REPLY='--username --write --directory --min-ttl --interactive --user --implicit --anonymous --scope --audience -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'credential kubectl') REPLY='--id-token --identity --no-token --write --min-ttl --interactive --user --implicit --anonymous --scope --audience -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'credential aws') REPLY='--role-arn --id-token --write --min-ttl --interactive --user --implicit --anonymous --scope --audience --session-name --duration --sts-url -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'logout') REPLY='--user --implicit --anonymous --local --end-session --passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'deregister') REPLY='--local -y --yes --passphrase-file -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'completion') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'help') REPLY='-a --all -p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
    'version') REPLY='-p --profile --json --field -q --quiet -v --verbose --color --timeout --trace -h --help' ;;
  esac
}

_sdkctl_scope() {
  REPLY=
  case "$1${2+:$2}" in
    ':profile') REPLY='profile' ;;
    ':pin') REPLY='pin' ;;
    ':identity') REPLY='identity' ;;
    ':register') REPLY='register' ;;
    ':account') REPLY='account' ;;
    ':login') REPLY='login' ;;
    ':token') REPLY='token' ;;
    ':fetch') REPLY='fetch' ;;
    ':exec') REPLY='exec' ;;
    ':credential') REPLY='credential' ;;
    ':logout') REPLY='logout' ;;
    ':deregister') REPLY='deregister' ;;
    ':completion') REPLY='completion' ;;
    ':help') REPLY='help' ;;
    ':version') REPLY='version' ;;
    'profile:add') REPLY='profile add' ;;
    'profile:list') REPLY='profile list' ;;
    'profile:show') REPLY='profile show' ;;
    'profile:use') REPLY='profile use' ;;
    'profile:set') REPLY='profile set' ;;
    'profile:unset') REPLY='profile unset' ;;
    'profile:rename') REPLY='profile rename' ;;
    'profile:remove') REPLY='profile remove' ;;
    'profile:import') REPLY='profile import' ;;
    'pin:add') REPLY='pin add' ;;
    'pin:list') REPLY='pin list' ;;
    'pin:show') REPLY='pin show' ;;
    'pin:remove') REPLY='pin remove' ;;
    'pin:hash') REPLY='pin hash' ;;
    'pin:check') REPLY='pin check' ;;
    'pin:edit') REPLY='pin edit' ;;
    'pin:lint') REPLY='pin lint' ;;
    'pin:plan') REPLY='pin plan' ;;
    'pin:update') REPLY='pin update' ;;
    'pin:backup') REPLY='pin backup' ;;
    'pin:history') REPLY='pin history' ;;
    'pin:import') REPLY='pin import' ;;
    'pin:export') REPLY='pin export' ;;
    'identity:list') REPLY='identity list' ;;
    'identity:show') REPLY='identity show' ;;
    'identity:import') REPLY='identity import' ;;
    'identity:export') REPLY='identity export' ;;
    'identity:delete') REPLY='identity delete' ;;
    'identity:csr') REPLY='identity csr' ;;
    'identity:check') REPLY='identity check' ;;
    'identity:renew') REPLY='identity renew' ;;
    'identity:obtain') REPLY='identity obtain' ;;
    'register:show') REPLY='register show' ;;
    'register:update') REPLY='register update' ;;
    'register:user') REPLY='register user' ;;
    'account:create') REPLY='account create' ;;
    'account:reset-password') REPLY='account reset-password' ;;
    'login:password') REPLY='login password' ;;
    'login:assertion') REPLY='login assertion' ;;
    'login:exchange') REPLY='login exchange' ;;
    'login:form') REPLY='login form' ;;
    'login:respond') REPLY='login respond' ;;
    'login:install-handler') REPLY='login install-handler' ;;
    'token:decode') REPLY='token decode' ;;
    'token:verify') REPLY='token verify' ;;
    'token:check') REPLY='token check' ;;
    'token:lint') REPLY='token lint' ;;
    'token:diff') REPLY='token diff' ;;
    'token:jwk') REPLY='token jwk' ;;
    'token:list') REPLY='token list' ;;
    'token:introspect') REPLY='token introspect' ;;
    'token:userinfo') REPLY='token userinfo' ;;
    'token:refresh') REPLY='token refresh' ;;
    'token:revoke') REPLY='token revoke' ;;
    'credential:git') REPLY='credential git' ;;
    'credential:docker') REPLY='credential docker' ;;
    'credential:kubectl') REPLY='credential kubectl' ;;
    'credential:aws') REPLY='credential aws' ;;
    *) return 1 ;;
  esac
}

_sdkctl_kind() {
  REPLY=
  case "$1${2+:$2}" in
    'profile add:--preset') REPLY='choices sequencing' ;;
    'profile add:--issuer') REPLY='none' ;;
    'profile add:--resource-url') REPLY='none' ;;
    'profile add:--client-id') REPLY='none' ;;
    'profile add:--scope') REPLY='none' ;;
    'profile add:--ca-file') REPLY='file' ;;
    'pin add:--host') REPLY='dynamic pinned-hosts' ;;
    'pin add:--role') REPLY='choices leaf intermediate root backup' ;;
    'pin add:--expires') REPLY='none' ;;
    'pin add:--policy') REPLY='choices enforce report' ;;
    'pin add:--comment') REPLY='none' ;;
    'pin add:--password-file') REPLY='file' ;;
    'pin add:--servername') REPLY='none' ;;
    'pin add:--connect') REPLY='none' ;;
    'pin add:--connect-timeout') REPLY='none' ;;
    'pin add:--resolve') REPLY='none' ;;
    'pin add:--connect-to') REPLY='none' ;;
    'pin show:--servername') REPLY='none' ;;
    'pin show:--connect') REPLY='none' ;;
    'pin show:--connect-timeout') REPLY='none' ;;
    'pin show:--resolve') REPLY='none' ;;
    'pin show:--connect-to') REPLY='none' ;;
    'pin hash:--role') REPLY='choices leaf intermediate root backup' ;;
    'pin hash:--ca-file') REPLY='file' ;;
    'pin hash:--password-file') REPLY='file' ;;
    'pin hash:--servername') REPLY='none' ;;
    'pin hash:--connect') REPLY='none' ;;
    'pin hash:--connect-timeout') REPLY='none' ;;
    'pin hash:--resolve') REPLY='none' ;;
    'pin hash:--connect-to') REPLY='none' ;;
    'pin check:--within') REPLY='none' ;;
    'pin check:--parallel') REPLY='none' ;;
    'pin check:--junit') REPLY='file' ;;
    'pin check:--servername') REPLY='none' ;;
    'pin check:--connect') REPLY='none' ;;
    'pin check:--connect-timeout') REPLY='none' ;;
    'pin check:--resolve') REPLY='none' ;;
    'pin check:--connect-to') REPLY='none' ;;
    'pin edit:--policy') REPLY='choices enforce report profile' ;;
    'pin edit:--expires') REPLY='none' ;;
    'pin edit:--comment') REPLY='none' ;;
    'pin lint:--within') REPLY='none' ;;
    'pin plan:--within') REPLY='none' ;;
    'pin update:--role') REPLY='choices leaf intermediate root backup' ;;
    'pin update:--from') REPLY='file' ;;
    'pin update:--signed-by') REPLY='file' ;;
    'pin backup:--type') REPLY='choices p256 p384 p521 rsa2048 rsa3072 rsa4096 ed25519' ;;
    'pin backup:--directory') REPLY='file' ;;
    'pin import:--format') REPLY='choices json curl hpkp okhttp okhttp-java android apple trustkit react-native tlsa openssl' ;;
    'pin import:--host') REPLY='dynamic pinned-hosts' ;;
    'pin export:--format') REPLY='choices json curl hpkp okhttp okhttp-java android apple trustkit react-native tlsa openssl' ;;
    'pin export:--sign') REPLY='file' ;;
    'pin export:--valid') REPLY='none' ;;
    'identity import:--host') REPLY='none' ;;
    'identity import:--name') REPLY='none' ;;
    'identity import:--key-file') REPLY='file' ;;
    'identity import:--key-uri') REPLY='none' ;;
    'identity import:--chain') REPLY='file' ;;
    'identity import:--password-file') REPLY='file' ;;
    'identity import:--passphrase-file') REPLY='file' ;;
    'identity export:--format') REPLY='choices pem pkcs12' ;;
    'identity export:-o' | 'identity export:--output') REPLY='file' ;;
    'identity export:--env') REPLY='choices sh fish powershell' ;;
    'identity export:--prefix') REPLY='none' ;;
    'identity export:--password-file') REPLY='file' ;;
    'identity export:--passphrase-file') REPLY='file' ;;
    'identity csr:--subject') REPLY='none' ;;
    'identity csr:--key-type') REPLY='choices p256 p384 rsa2048 rsa3072 rsa4096 ed25519' ;;
    'identity csr:--host') REPLY='none' ;;
    'identity csr:--key-uri') REPLY='none' ;;
    'identity csr:--passphrase-file') REPLY='file' ;;
    'identity csr:--dns') REPLY='none' ;;
    'identity csr:--email') REPLY='none' ;;
    'identity csr:--uri') REPLY='none' ;;
    'identity csr:--ip') REPLY='none' ;;
    'identity check:--expires-in') REPLY='none' ;;
    'identity renew:--within') REPLY='none' ;;
    'identity renew:--passphrase-file') REPLY='file' ;;
    'identity obtain:--name') REPLY='none' ;;
    'identity obtain:--passphrase-file') REPLY='file' ;;
    'register:--initial-access-token-file') REPLY='file' ;;
    'register:--scope') REPLY='none' ;;
    'register:--client-name') REPLY='none' ;;
    'register:--callback-port') REPLY='none' ;;
    'register:--redirect-uri') REPLY='none' ;;
    'register:--auth-method') REPLY='choices none client_secret_basic client_secret_post client_secret_jwt private_key_jwt tls_client_auth self_signed_tls_client_auth' ;;
    'register:--client-id') REPLY='none' ;;
    'register:--client-secret-file') REPLY='file' ;;
    'register:--client-key-file') REPLY='file' ;;
    'register:--client-certificate') REPLY='file' ;;
    'register:--identity') REPLY='dynamic identities' ;;
    'register:--certificate-san') REPLY='choices dns uri ip email' ;;
    'register:--passphrase-file') REPLY='file' ;;
    'register:--software-id') REPLY='none' ;;
    'register:--software-version') REPLY='none' ;;
    'register:--software-statement-file') REPLY='file' ;;
    'register:--contact') REPLY='none' ;;
    'register update:--scope') REPLY='none' ;;
    'register update:--client-name') REPLY='none' ;;
    'register update:--callback-port') REPLY='none' ;;
    'register update:--redirect-uri') REPLY='none' ;;
    'register update:--auth-method') REPLY='choices none client_secret_basic client_secret_post client_secret_jwt private_key_jwt tls_client_auth self_signed_tls_client_auth' ;;
    'register update:--client-key-file') REPLY='file' ;;
    'register update:--client-certificate') REPLY='file' ;;
    'register update:--identity') REPLY='dynamic identities' ;;
    'register update:--certificate-san') REPLY='choices dns uri ip email' ;;
    'register update:--passphrase-file') REPLY='file' ;;
    'register update:--software-id') REPLY='none' ;;
    'register update:--software-version') REPLY='none' ;;
    'register update:--software-statement-file') REPLY='file' ;;
    'register update:--contact') REPLY='none' ;;
    'register user:--idp') REPLY='none' ;;
    'register user:--scope') REPLY='none' ;;
    'account create:--email') REPLY='none' ;;
    'account reset-password:--email') REPLY='none' ;;
    'login:--scope') REPLY='none' ;;
    'login:--login-hint') REPLY='none' ;;
    'login:--prompt') REPLY='none' ;;
    'login:--acr') REPLY='none' ;;
    'login:--max-age') REPLY='none' ;;
    'login:--idp') REPLY='none' ;;
    'login:--resource') REPLY='none' ;;
    'login:--passphrase-file') REPLY='file' ;;
    'login:--authorization-details') REPLY='none' ;;
    'login:--callback-port') REPLY='none' ;;
    'login:--response-mode') REPLY='choices query form_post query.jwt form_post.jwt' ;;
    'login password:--password-file') REPLY='file' ;;
    'login password:--scope') REPLY='none' ;;
    'login password:--resource') REPLY='none' ;;
    'login password:--passphrase-file') REPLY='file' ;;
    'login assertion:--assertion-file') REPLY='file' ;;
    'login assertion:--subject') REPLY='none' ;;
    'login assertion:--scope') REPLY='none' ;;
    'login assertion:--resource') REPLY='none' ;;
    'login assertion:--passphrase-file') REPLY='file' ;;
    'login exchange:--token-file') REPLY='file' ;;
    'login exchange:--token-type') REPLY='choices access_token id_token jwt' ;;
    'login exchange:--audience') REPLY='none' ;;
    'login exchange:--scope') REPLY='none' ;;
    'login exchange:--resource') REPLY='none' ;;
    'login exchange:--passphrase-file') REPLY='file' ;;
    'login form:--password-file') REPLY='file' ;;
    'login form:--passphrase-file') REPLY='file' ;;
    'token:--env') REPLY='choices sh fish powershell' ;;
    'token:--passphrase-file') REPLY='file' ;;
    'token:--min-ttl') REPLY='none' ;;
    'token:--cookie-for') REPLY='none' ;;
    'token:--scope') REPLY='none' ;;
    'token:--audience') REPLY='none' ;;
    'token:--proof-for') REPLY='none' ;;
    'token decode:--key') REPLY='file' ;;
    'token verify:--alg') REPLY='choices HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 ES256K EdDSA Ed25519 Ed448' ;;
    'token verify:--leeway') REPLY='none' ;;
    'token verify:--at') REPLY='none' ;;
    'token verify:--issuer') REPLY='none' ;;
    'token verify:--jwks') REPLY='file' ;;
    'token verify:--key') REPLY='file' ;;
    'token verify:--secret-file') REPLY='file' ;;
    'token verify:--decrypt-key') REPLY='file' ;;
    'token verify:--iss') REPLY='none' ;;
    'token verify:--aud') REPLY='none' ;;
    'token verify:--sub') REPLY='none' ;;
    'token verify:--azp') REPLY='none' ;;
    'token verify:--typ') REPLY='none' ;;
    'token verify:--nonce') REPLY='none' ;;
    'token verify:--access-token-file') REPLY='file' ;;
    'token verify:--bound-to') REPLY='file' ;;
    'token check:--min-ttl') REPLY='none' ;;
    'token check:--scope') REPLY='none' ;;
    'token check:--aud') REPLY='none' ;;
    'token check:--acr') REPLY='none' ;;
    'token check:--iss') REPLY='none' ;;
    'token jwk:--generate') REPLY='choices RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 ES256K EdDSA Ed25519 Ed448 RSA-OAEP RSA-OAEP-256 ECDH-ES ECDH-ES+A128KW ECDH-ES+A192KW ECDH-ES+A256KW X25519' ;;
    'token jwk:-o' | 'token jwk:--output') REPLY='file' ;;
    'token jwk:--kid') REPLY='none' ;;
    'token jwk:--use') REPLY='choices sig enc' ;;
    'token jwk:--alg') REPLY='none' ;;
    'token introspect:--passphrase-file') REPLY='file' ;;
    'token userinfo:--passphrase-file') REPLY='file' ;;
    'token refresh:--passphrase-file') REPLY='file' ;;
    'token revoke:--passphrase-file') REPLY='file' ;;
    'fetch:-X' | 'fetch:--request') REPLY='none' ;;
    'fetch:-H' | 'fetch:--header') REPLY='file' ;;
    'fetch:-d' | 'fetch:--data') REPLY='file' ;;
    'fetch:-o' | 'fetch:--output') REPLY='file' ;;
    'fetch:--param') REPLY='none' ;;
    'fetch:--encoding') REPLY='choices json form' ;;
    'fetch:-F' | 'fetch:--form') REPLY='file' ;;
    'fetch:-r' | 'fetch:--range') REPLY='none' ;;
    'fetch:--max-size') REPLY='none' ;;
    'fetch:-w' | 'fetch:--write-out') REPLY='file' ;;
    'fetch:--output-dir') REPLY='directory' ;;
    'fetch:--etag-save') REPLY='file' ;;
    'fetch:--etag-compare') REPLY='file' ;;
    'fetch:--retry') REPLY='none' ;;
    'fetch:--connect-timeout') REPLY='none' ;;
    'fetch:--resolve') REPLY='none' ;;
    'fetch:--connect-to') REPLY='none' ;;
    'fetch:--identity') REPLY='none' ;;
    'fetch:--passphrase-file') REPLY='file' ;;
    'fetch:--batch') REPLY='file' ;;
    'fetch:--parallel') REPLY='none' ;;
    'fetch:--parallel-max-host') REPLY='none' ;;
    'fetch:--rate') REPLY='none' ;;
    'exec:--min-ttl') REPLY='none' ;;
    'exec:--token-as') REPLY='none' ;;
    'exec:--ca-as') REPLY='none' ;;
    'exec:--passphrase-file') REPLY='file' ;;
    'exec:--scope') REPLY='none' ;;
    'exec:--audience') REPLY='none' ;;
    'credential git:--username') REPLY='none' ;;
    'credential git:--min-ttl') REPLY='none' ;;
    'credential git:--scope') REPLY='none' ;;
    'credential git:--audience') REPLY='none' ;;
    'credential docker:--username') REPLY='none' ;;
    'credential docker:--directory') REPLY='directory' ;;
    'credential docker:--min-ttl') REPLY='none' ;;
    'credential docker:--scope') REPLY='none' ;;
    'credential docker:--audience') REPLY='none' ;;
    'credential kubectl:--identity') REPLY='dynamic identities' ;;
    'credential kubectl:--min-ttl') REPLY='none' ;;
    'credential kubectl:--scope') REPLY='none' ;;
    'credential kubectl:--audience') REPLY='none' ;;
    'credential aws:--role-arn') REPLY='none' ;;
    'credential aws:--min-ttl') REPLY='none' ;;
    'credential aws:--scope') REPLY='none' ;;
    'credential aws:--audience') REPLY='none' ;;
    'credential aws:--session-name') REPLY='none' ;;
    'credential aws:--duration') REPLY='none' ;;
    'credential aws:--sts-url') REPLY='none' ;;
    'logout:--passphrase-file') REPLY='file' ;;
    'deregister:--passphrase-file') REPLY='file' ;;
    *':-p' | *':--profile') REPLY='dynamic profiles' ;;
    *':--field') REPLY='none' ;;
    *':--color') REPLY='choices auto always never' ;;
    *':--timeout') REPLY='none' ;;
    *':--trace') REPLY='file' ;;
  esac
}

_sdkctl_operand() {
  REPLY=
  case "$1${2+:$2}" in
    'profile add:0') REPLY='none' ;;
    'profile show:0') REPLY='dynamic profiles' ;;
    'profile use:0') REPLY='dynamic profiles' ;;
    'profile set:'*) REPLY='dynamic profile-settings' ;;
    'profile unset:'*) REPLY='dynamic profile-keys' ;;
    'profile rename:0') REPLY='dynamic profiles' ;;
    'profile rename:1') REPLY='none' ;;
    'profile remove:0') REPLY='dynamic profiles' ;;
    'profile import:0') REPLY='file' ;;
    'pin add:'*) REPLY='file' ;;
    'pin show:0') REPLY='dynamic pinned-hosts' ;;
    'pin remove:0') REPLY='dynamic pinned-hosts' ;;
    'pin remove:'*) REPLY='none' ;;
    'pin hash:'*) REPLY='file' ;;
    'pin check:'*) REPLY='dynamic pinned-hosts' ;;
    'pin edit:0') REPLY='dynamic pinned-hosts' ;;
    'pin plan:'*) REPLY='dynamic pinned-hosts' ;;
    'pin update:'*) REPLY='dynamic pinned-hosts' ;;
    'pin backup:0') REPLY='dynamic pinned-hosts' ;;
    'pin history:'*) REPLY='dynamic pinned-hosts' ;;
    'pin import:0') REPLY='file' ;;
    'pin export:'*) REPLY='dynamic pinned-hosts' ;;
    'identity show:0') REPLY='dynamic identities' ;;
    'identity import:0') REPLY='file' ;;
    'identity export:0') REPLY='dynamic identities' ;;
    'identity delete:0') REPLY='dynamic identities' ;;
    'identity csr:0') REPLY='dynamic identities' ;;
    'identity check:'*) REPLY='dynamic identities' ;;
    'identity renew:'*) REPLY='dynamic identities' ;;
    'identity obtain:0') REPLY='none' ;;
    'login password:0') REPLY='none' ;;
    'login form:0') REPLY='none' ;;
    'login respond:0') REPLY='none' ;;
    'login install-handler:0') REPLY='none' ;;
    'token decode:0') REPLY='file' ;;
    'token verify:0') REPLY='file' ;;
    'token check:0') REPLY='file' ;;
    'token lint:0') REPLY='file' ;;
    'token diff:0') REPLY='file' ;;
    'token diff:1') REPLY='file' ;;
    'token jwk:'*) REPLY='file' ;;
    'token introspect:0') REPLY='file' ;;
    'token revoke:0') REPLY='file' ;;
    'fetch:0') REPLY='none' ;;
    'fetch:1') REPLY='none' ;;
    'exec:0') REPLY='command' ;;
    'exec:'*) REPLY='file' ;;
    'credential git:0') REPLY='choices get store erase capability install' ;;
    'credential docker:0') REPLY='choices get store erase list version install' ;;
    'credential kubectl:0') REPLY='choices install' ;;
    'credential aws:0') REPLY='choices install' ;;
    'completion:0') REPLY='choices bash zsh fish' ;;
    'help:'*) REPLY='dynamic help' ;;
  esac
}

# Adds candidates that begin with what was typed. $1 is typed, $2 goes before each.
_sdkctl_add() {
  local item
  while IFS= read -r item; do
    [[ -n $item && $item == "$1"* ]] && COMPREPLY+=("$2$item")
  done
}

# Offers values of a kind. $1 is the kind, $2 is typed, $3 goes before each value;
# what follows is the command line so far.
_sdkctl_offer() {
  local kind=$1 typed=$2 lead=$3
  shift 3
  case $kind in
    file | directory)
      compopt -o filenames 2>/dev/null
      local action=-f
      [[ $kind == directory ]] && action=-d
      _sdkctl_add "$typed" "$lead" < <(compgen "$action" -- "$typed")
      ;;
    command) _sdkctl_add "$typed" "$lead" < <(compgen -c -- "$typed") ;;
    choices\ *) _sdkctl_add "$typed" "$lead" < <(printf '%s\n' ${kind#choices }) ;;
    dynamic\ *)
      local self=${1/#\~\//$HOME/}
      shift
      _sdkctl_add "$typed" "$lead" < <(
        "$self" __complete "${kind#dynamic }" -- "$@" 2>/dev/null </dev/null
      )
      ;;
  esac
}

_sdkctl() {
  COMPREPLY=()
  local IFS=$' \t\n'
  local REPLY word rest piece i last cur
  local scope='' want='' literal='' count=0
  local -a words=()

  # Join again what readline has split at = and : (the words touch each other in the line).
  local line=${COMP_LINE:0:COMP_POINT}
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece=${COMP_WORDS[i]}
    rest=${line#"${line%%[![:blank:]]*}"}
    ((i == COMP_CWORD)) && [[ -n $COMP_LINE ]] && piece=$rest
    if ((i > 1)) && [[ -n $line && $rest == "$line" ]]; then
      words[${#words[@]} - 1]+=$piece
    else
      words+=("$piece")
    fi
    line=${rest#"$piece"}
  done
  last=$((${#words[@]} - 1))
  cur=${words[last]}

  for ((i = 1; i < last; i++)); do
    word=${words[i]}
    if [[ -n $want ]]; then
      want=''
      continue
    fi
    if [[ -z $literal ]]; then
      case $word in
        --)
          literal=1
          continue
          ;;
        --*=*) continue ;;
        --*)
          _sdkctl_kind "$scope" "$word"
          want=$REPLY
          continue
          ;;
        -?*)
          rest=${word#-}
          while [[ -n $rest ]]; do
            _sdkctl_kind "$scope" "-${rest:0:1}"
            rest=${rest:1}
            if [[ -n $REPLY ]]; then
              [[ -z $rest ]] && want=$REPLY
              break
            fi
          done
          continue
          ;;
      esac
    fi
    if ((count == 0)) && [[ -z $literal ]] && _sdkctl_scope "$scope" "$word"; then
      scope=$REPLY
    elif [[ -z $scope ]]; then
      # An external command: files are the best guess.
      _sdkctl_offer file "$cur" ''
      return 0
    else
      _sdkctl_operand "$scope" "$count"
      [[ $REPLY == command ]] && literal=1
      count=$((count + 1))
    fi
  done

  local -a before=("${words[@]:0:last}")
  if [[ -n $want ]]; then
    _sdkctl_offer "$want" "$cur" '' "${before[@]}"
  elif [[ -z $literal && $cur == --*=* ]]; then
    _sdkctl_kind "$scope" "${cur%%=*}"
    _sdkctl_offer "$REPLY" "${cur#*=}" "${cur%%=*}=" "${before[@]}"
  elif [[ -z $literal && $cur == -* ]]; then
    _sdkctl_options "$scope"
    _sdkctl_add "$cur" '' < <(printf '%s\n' $REPLY)
  else
    if ((count == 0)) && [[ -z $literal ]]; then
      _sdkctl_words "$scope"
      _sdkctl_add "$cur" '' < <(printf '%s\n' $REPLY)
    fi
    if [[ -n $scope ]]; then
      _sdkctl_operand "$scope" "$count"
      _sdkctl_offer "$REPLY" "$cur" '' "${before[@]}"
    else
      while IFS= read -r word; do
        _sdkctl_add "$cur" '' <<<"${word#sdkctl-}"
      done < <(compgen -c 'sdkctl-')
    fi
  fi

  # Readline replaces only what follows the last = or :, where it splits there.
  [[ $COMP_WORDBREAKS == *=* ]] && piece=${piece##*=}
  [[ $COMP_WORDBREAKS == *:* ]] && piece=${piece##*:}
  rest=${cur%"$piece"}
  [[ -n $rest ]] && COMPREPLY=("${COMPREPLY[@]#"$rest"}")
  return 0
}

complete -F _sdkctl sdkctl
