# fish completion for sdkctl, generated from its command table

# Whether an option (second argument) of a command (first) takes a value.
function __sdkctl_takes_value
    switch "$argv[1]:$argv[2]"
        case 'profile add:--preset' 'profile add:--issuer' 'profile add:--resource-url' 'profile add:--client-id' 'profile add:--scope' 'profile add:--ca-file' 'pin add:--host' 'pin add:--role' 'pin add:--expires' 'pin add:--policy' 'pin add:--comment' 'pin add:--connect-timeout' 'pin add:--resolve' 'pin add:--connect-to' 'pin check:--within' 'pin check:--parallel' 'pin check:--junit' 'pin check:--connect-timeout' 'pin check:--resolve' 'pin check:--connect-to' 'pin edit:--policy' 'pin edit:--expires' 'pin edit:--comment' 'pin lint:--within' 'pin plan:--within' 'pin update:--role' 'pin backup:--type' 'pin backup:--directory' 'pin import:--format' 'pin import:--host' 'pin export:--format' 'identity import:--host' 'identity import:--name' 'identity import:--key-file' 'identity import:--chain' 'identity import:--password-file' 'identity import:--passphrase-file' 'identity export:--format' 'identity export:-o' 'identity export:--output' 'identity export:--env' 'identity export:--prefix' 'identity export:--password-file' 'identity export:--passphrase-file' 'identity csr:--subject' 'identity csr:--key-type' 'identity csr:--host' 'identity csr:--passphrase-file' 'identity csr:--dns' 'identity csr:--email' 'identity csr:--uri' 'identity csr:--ip' 'identity check:--expires-in' 'identity renew:--within' 'identity renew:--passphrase-file' 'identity obtain:--name' 'identity obtain:--passphrase-file' 'register:--initial-access-token-file' 'register:--scope' 'register:--client-name' 'register:--callback-port' 'register:--redirect-uri' 'register:--auth-method' 'register:--client-id' 'register:--client-secret-file' 'register:--client-key-file' 'register:--client-certificate' 'register:--certificate-san' 'register:--software-id' 'register:--software-version' 'register:--software-statement-file' 'register:--contact' 'register update:--scope' 'register update:--client-name' 'register update:--callback-port' 'register update:--redirect-uri' 'register update:--auth-method' 'register update:--client-key-file' 'register update:--client-certificate' 'register update:--certificate-san' 'register update:--software-id' 'register update:--software-version' 'register update:--software-statement-file' 'register update:--contact' 'register user:--idp' 'register user:--scope' 'account create:--email' 'account reset-password:--email' 'login:--scope' 'login:--login-hint' 'login:--prompt' 'login:--acr' 'login:--max-age' 'login:--idp' 'login:--resource' 'login:--authorization-details' 'login:--callback-port' 'login:--response-mode' 'login password:--password-file' 'login password:--scope' 'login password:--resource' 'login assertion:--assertion-file' 'login assertion:--subject' 'login assertion:--scope' 'login assertion:--resource' 'login exchange:--token-file' 'login exchange:--token-type' 'login exchange:--audience' 'login exchange:--scope' 'login exchange:--resource' 'token:--env' 'token:--min-ttl' 'token:--scope' 'token:--audience' 'token:--proof-for' 'token decode:--key' 'token verify:--alg' 'token verify:--leeway' 'token verify:--at' 'token verify:--issuer' 'token verify:--jwks' 'token verify:--key' 'token verify:--secret-file' 'token verify:--iss' 'token verify:--aud' 'token verify:--sub' 'token verify:--azp' 'token verify:--typ' 'token verify:--nonce' 'token verify:--access-token-file' 'token verify:--bound-to' 'token check:--min-ttl' 'token check:--scope' 'token check:--aud' 'token check:--acr' 'token check:--iss' 'token jwk:--generate' 'token jwk:-o' 'token jwk:--output' 'token jwk:--kid' 'token jwk:--use' 'token jwk:--alg' 'fetch:-X' 'fetch:--request' 'fetch:-H' 'fetch:--header' 'fetch:-d' 'fetch:--data' 'fetch:-o' 'fetch:--output' 'fetch:--identity' 'fetch:--param' 'fetch:--encoding' 'fetch:-F' 'fetch:--form' 'fetch:-r' 'fetch:--range' 'fetch:--max-size' 'fetch:-w' 'fetch:--write-out' 'fetch:--output-dir' 'fetch:--etag-save' 'fetch:--etag-compare' 'fetch:--retry' 'fetch:--connect-timeout' 'fetch:--resolve' 'fetch:--connect-to' 'fetch:--batch' 'fetch:--parallel' 'fetch:--parallel-max-host' 'fetch:--rate' '*:-p' '*:--profile' '*:--color' '*:--timeout' '*:--trace'
            return 0
    end
    return 1
end

# Whether a word (second argument) is a command below a command (first).
function __sdkctl_is_command
    switch "$argv[1]:$argv[2]"
        case ':profile' ':pin' ':identity' ':register' ':account' ':login' ':token' ':fetch' ':logout' ':deregister' ':completion' ':help' ':version' 'profile:add' 'profile:list' 'profile:show' 'profile:use' 'profile:set' 'profile:unset' 'profile:rename' 'profile:remove' 'pin:add' 'pin:list' 'pin:show' 'pin:remove' 'pin:check' 'pin:edit' 'pin:lint' 'pin:plan' 'pin:update' 'pin:backup' 'pin:history' 'pin:import' 'pin:export' 'identity:list' 'identity:show' 'identity:import' 'identity:export' 'identity:delete' 'identity:csr' 'identity:check' 'identity:renew' 'identity:obtain' 'register:show' 'register:update' 'register:user' 'account:create' 'account:reset-password' 'login:password' 'login:assertion' 'login:exchange' 'login:respond' 'login:install-handler' 'token:decode' 'token:verify' 'token:check' 'token:lint' 'token:diff' 'token:jwk' 'token:userinfo'
            return 0
    end
    return 1
end

# Whether operand number (second argument) of a command (first) begins a foreign command line.
function __sdkctl_is_verbatim
    return 1
end

# Prints the command before the cursor, and how many operands it has.
function __sdkctl_place
    set -l words (commandline -opc)
    set -e words[1]
    set -l scope ''
    set -l count 0
    set -l skip 0
    set -l literal 0
    for word in $words
        if test $skip = 1
            set skip 0
            continue
        end
        if test $literal = 0
            switch $word
                case --
                    set literal 1
                    continue
                case '--*=*'
                    continue
                case '--*'
                    __sdkctl_takes_value "$scope" $word; and set skip 1
                    continue
                case '-?*'
                    set -l letters (string split '' -- (string sub -s 2 -- $word))
                    for index in (seq (count $letters))
                        if __sdkctl_takes_value "$scope" -$letters[$index]
                            test $index = (count $letters); and set skip 1
                            break
                        end
                    end
                    continue
            end
        end
        if test $count = 0 -a $literal = 0; and __sdkctl_is_command "$scope" $word
            set scope (string trim -- "$scope $word")
        else if test -z "$scope"
            echo external
            echo 0
            return
        else
            __sdkctl_is_verbatim "$scope" $count; and set literal 1
            set count (math $count + 1)
        end
    end
    echo $scope
    echo $count
end

# Whether the cursor is behind a command, and at the operand of a number if one is given.
function __sdkctl_at
    set -l place (__sdkctl_place)
    test "$place[1]" = "$argv[1]"; or return 1
    test (count $argv) = 1; or test "$place[2]" = "$argv[2]"
end

# Prints the values of a kind that the program itself knows.
function __sdkctl_dynamic
    set -l words (commandline -opc)
    command $words[1] __complete $argv[1] -- $words[2..-1] 2>/dev/null </dev/null
end

# Prints the names of external commands.
function __sdkctl_external
    set -l files $PATH/sdkctl-*
    for file in $files
        test -x $file; and string replace -r '.*/sdkctl-' '' -- $file
    end
end

complete -c sdkctl -f
complete -c sdkctl -s p -l profile -x -a '(__sdkctl_dynamic profiles)' -d 'Use this profile, by name or issuer URL'
complete -c sdkctl -l json -d 'Print JSON, and errors as JSON'
complete -c sdkctl -s q -l quiet -d 'Print no notes on standard error'
complete -c sdkctl -s v -l verbose -d 'Say what goes over the network'
complete -c sdkctl -l color -x -a 'auto always never' -d 'Colour output: auto, always or never'
complete -c sdkctl -l timeout -x -d 'End the command after that time'
complete -c sdkctl -l trace -r -F -d 'Write each network exchange to a file'
complete -c sdkctl -s h -l help -d 'Show help (-h short, --help long)'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a 'profile' -d 'Manage profiles'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a 'pin' -d 'Manage certificate pins'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a 'identity' -d 'Manage client certificates'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a 'register' -d 'Register this installation at the server'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a 'account' -d 'Create an account, or reset its password'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a 'login' -d 'Log a user in, or this installation'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a 'token' -d 'Print an access token'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a 'fetch' -d 'Fetch a resource, behind pins'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a 'logout' -d 'Revoke and erase the tokens'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a 'deregister' -d 'Delete the registration and all tokens'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a 'completion' -d 'Print a shell\'s completion script'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a 'help' -d 'Explain commands and topics'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a 'version' -d 'Show versions'
complete -c sdkctl -n '__sdkctl_at \'\' 0' -a '(__sdkctl_external)'
complete -c sdkctl -n '__sdkctl_at \'\'' -l version -d 'Show the version'
complete -c sdkctl -n '__sdkctl_at \'profile\' 0' -a 'add' -d 'Create a profile'
complete -c sdkctl -n '__sdkctl_at \'profile\' 0' -a 'list' -d 'List the profiles'
complete -c sdkctl -n '__sdkctl_at \'profile\' 0' -a 'show' -d 'Show the settings and the state of a profile'
complete -c sdkctl -n '__sdkctl_at \'profile\' 0' -a 'use' -d 'Choose the current profile'
complete -c sdkctl -n '__sdkctl_at \'profile\' 0' -a 'set' -d 'Change settings of a profile'
complete -c sdkctl -n '__sdkctl_at \'profile\' 0' -a 'unset' -d 'Remove settings from a profile'
complete -c sdkctl -n '__sdkctl_at \'profile\' 0' -a 'rename' -d 'Rename a profile'
complete -c sdkctl -n '__sdkctl_at \'profile\' 0' -a 'remove' -d 'Remove a profile and everything in it'
complete -c sdkctl -n '__sdkctl_at \'profile add\'' -l preset -x -a 'sequencing' -d 'Start with the settings of a known provider'
complete -c sdkctl -n '__sdkctl_at \'profile add\'' -l issuer -x -d 'Set the URL of the authorization server'
complete -c sdkctl -n '__sdkctl_at \'profile add\'' -l resource-url -x -d 'Set the URL that fetch appends paths to'
complete -c sdkctl -n '__sdkctl_at \'profile add\'' -l client-id -x -d 'Use a public client that exists'
complete -c sdkctl -n '__sdkctl_at \'profile add\'' -l scope -x -d 'Set the scope that login asks for'
complete -c sdkctl -n '__sdkctl_at \'profile add\'' -l ca-file -r -F -d 'Trust the authorities of this PEM file only'
complete -c sdkctl -n '__sdkctl_at \'profile add\'' -l insecure-loopback -d 'Allow http:// to this machine'
complete -c sdkctl -n '__sdkctl_at \'profile add\'' -l pin -d 'Pin the leaf keys of the profile\'s hosts'
complete -c sdkctl -n '__sdkctl_at \'profile add\'' -s y -l yes -d 'Pin without asking'
complete -c sdkctl -n '__sdkctl_at \'profile show\' 0' -a '(__sdkctl_dynamic profiles)'
complete -c sdkctl -n '__sdkctl_at \'profile use\' 0' -a '(__sdkctl_dynamic profiles)'
complete -c sdkctl -n '__sdkctl_at \'profile set\'' -a '(__sdkctl_dynamic profile-settings)'
complete -c sdkctl -n '__sdkctl_at \'profile unset\'' -a '(__sdkctl_dynamic profile-keys)'
complete -c sdkctl -n '__sdkctl_at \'profile rename\' 0' -a '(__sdkctl_dynamic profiles)'
complete -c sdkctl -n '__sdkctl_at \'profile remove\'' -s y -l yes -d 'Remove without asking'
complete -c sdkctl -n '__sdkctl_at \'profile remove\' 0' -a '(__sdkctl_dynamic profiles)'
complete -c sdkctl -n '__sdkctl_at \'pin\' 0' -a 'add' -d 'Pin the keys of a server or a file'
complete -c sdkctl -n '__sdkctl_at \'pin\' 0' -a 'list' -d 'List the pins of the profile'
complete -c sdkctl -n '__sdkctl_at \'pin\' 0' -a 'show' -d 'Show the pins that apply to a host'
complete -c sdkctl -n '__sdkctl_at \'pin\' 0' -a 'remove' -d 'Remove pins of a host'
complete -c sdkctl -n '__sdkctl_at \'pin\' 0' -a 'check' -d 'Check whether servers still use the pinned keys'
complete -c sdkctl -n '__sdkctl_at \'pin\' 0' -a 'edit' -d 'Change the policy, the expiry or the comment of pins'
complete -c sdkctl -n '__sdkctl_at \'pin\' 0' -a 'lint' -d 'Check the pins of the profile without a connection'
complete -c sdkctl -n '__sdkctl_at \'pin\' 0' -a 'plan' -d 'Plan which pins to add and which to remove, and when'
complete -c sdkctl -n '__sdkctl_at \'pin\' 0' -a 'update' -d 'Update pins to the keys that servers use now'
complete -c sdkctl -n '__sdkctl_at \'pin\' 0' -a 'backup' -d 'Make a backup key for a host and pin it'
complete -c sdkctl -n '__sdkctl_at \'pin\' 0' -a 'history' -d 'Show which keys hosts have shown, and when'
complete -c sdkctl -n '__sdkctl_at \'pin\' 0' -a 'import' -d 'Read pins from a document of another program'
complete -c sdkctl -n '__sdkctl_at \'pin\' 0' -a 'export' -d 'Write pins in the format of another program'
complete -c sdkctl -n '__sdkctl_at \'pin add\'' -l host -x -a '(__sdkctl_dynamic pinned-hosts)' -d 'Pin for this host, *.HOST, **.HOST or HOST:PORT'
complete -c sdkctl -n '__sdkctl_at \'pin add\'' -l role -x -a 'leaf intermediate root backup' -d 'Pin these: leaf, intermediate, root or backup'
complete -c sdkctl -n '__sdkctl_at \'pin add\'' -l subdomains -d 'Apply the pins to all subdomains too'
complete -c sdkctl -n '__sdkctl_at \'pin add\'' -l expires -x -d 'Refuse the host after this day (UTC) or time'
complete -c sdkctl -n '__sdkctl_at \'pin add\'' -l policy -x -a 'enforce report' -d 'Enforce the pins of the host, or only report'
complete -c sdkctl -n '__sdkctl_at \'pin add\'' -l comment -x -d 'Store this remark with the pins'
complete -c sdkctl -n '__sdkctl_at \'pin add\'' -l no-backup -d 'Enforce although there is no backup pin'
complete -c sdkctl -n '__sdkctl_at \'pin add\'' -l proxy -d 'Pin an HTTPS proxy, not the servers behind it'
complete -c sdkctl -n '__sdkctl_at \'pin add\'' -s y -l yes -d 'Pin without asking'
complete -c sdkctl -n '__sdkctl_at \'pin add\'' -l connect-timeout -x -d 'Limit the time to connect (default 30)'
complete -c sdkctl -n '__sdkctl_at \'pin add\'' -l resolve -x -d 'Use this address of a host'
complete -c sdkctl -n '__sdkctl_at \'pin add\'' -l connect-to -x -d 'Connect to HOST2:PORT2 instead of HOST1:PORT1'
complete -c sdkctl -n '__sdkctl_at \'pin add\'' -F
complete -c sdkctl -n '__sdkctl_at \'pin show\' 0' -a '(__sdkctl_dynamic pinned-hosts)'
complete -c sdkctl -n '__sdkctl_at \'pin remove\'' -l proxy -d 'Remove pins of an HTTPS proxy'
complete -c sdkctl -n '__sdkctl_at \'pin remove\'' -s y -l yes -d 'Remove without asking'
complete -c sdkctl -n '__sdkctl_at \'pin remove\' 0' -a '(__sdkctl_dynamic pinned-hosts)'
complete -c sdkctl -n '__sdkctl_at \'pin check\'' -l within -x -d 'Report what ends within this time: 30d, 12h'
complete -c sdkctl -n '__sdkctl_at \'pin check\'' -l parallel -x -d 'Check so many hosts at the same time'
complete -c sdkctl -n '__sdkctl_at \'pin check\'' -l junit -r -F -d 'Write a JUnit XML report; - is standard output'
complete -c sdkctl -n '__sdkctl_at \'pin check\'' -l connect-timeout -x -d 'Limit the time to connect (default 30)'
complete -c sdkctl -n '__sdkctl_at \'pin check\'' -l resolve -x -d 'Use this address of a host'
complete -c sdkctl -n '__sdkctl_at \'pin check\'' -l connect-to -x -d 'Connect to HOST2:PORT2 instead of HOST1:PORT1'
complete -c sdkctl -n '__sdkctl_at \'pin check\'' -a '(__sdkctl_dynamic pinned-hosts)'
complete -c sdkctl -n '__sdkctl_at \'pin edit\'' -l policy -x -a 'enforce report profile' -d 'Enforce, only report, or do as the profile says'
complete -c sdkctl -n '__sdkctl_at \'pin edit\'' -l expires -x -d 'Refuse the host after this day, or never'
complete -c sdkctl -n '__sdkctl_at \'pin edit\'' -l comment -x -d 'Store this remark; an empty one removes it'
complete -c sdkctl -n '__sdkctl_at \'pin edit\'' -l no-backup -d 'Enforce although there is no backup pin'
complete -c sdkctl -n '__sdkctl_at \'pin edit\' 0' -a '(__sdkctl_dynamic pinned-hosts)'
complete -c sdkctl -n '__sdkctl_at \'pin lint\'' -l within -x -d 'Report what expires within this time: 30d, 12h'
complete -c sdkctl -n '__sdkctl_at \'pin lint\'' -l strict -d 'Exit with 11 for warnings too'
complete -c sdkctl -n '__sdkctl_at \'pin plan\'' -l within -x -d 'Plan for what ends within this time: 30d, 12h'
complete -c sdkctl -n '__sdkctl_at \'pin plan\'' -a '(__sdkctl_dynamic pinned-hosts)'
complete -c sdkctl -n '__sdkctl_at \'pin update\'' -l role -x -a 'leaf intermediate root backup' -d 'Pin these: leaf, intermediate or root'
complete -c sdkctl -n '__sdkctl_at \'pin update\'' -l keep -d 'Keep keys that are not in use any more'
complete -c sdkctl -n '__sdkctl_at \'pin update\'' -s y -l yes -d 'Update without asking'
complete -c sdkctl -n '__sdkctl_at \'pin update\'' -a '(__sdkctl_dynamic pinned-hosts)'
complete -c sdkctl -n '__sdkctl_at \'pin backup\'' -l type -x -a 'p256 p384 p521 rsa2048 rsa3072 rsa4096 ed25519' -d 'Type of the key: p256, rsa3072, ed25519, …'
complete -c sdkctl -n '__sdkctl_at \'pin backup\'' -l directory -r -F -d 'Write the files into this directory'
complete -c sdkctl -n '__sdkctl_at \'pin backup\' 0' -a '(__sdkctl_dynamic pinned-hosts)'
complete -c sdkctl -n '__sdkctl_at \'pin history\'' -a '(__sdkctl_dynamic pinned-hosts)'
complete -c sdkctl -n '__sdkctl_at \'pin import\'' -l format -x -a 'json curl hpkp okhttp okhttp-java android apple trustkit react-native tlsa openssl' -d 'Read this format (json by default)'
complete -c sdkctl -n '__sdkctl_at \'pin import\'' -l host -x -a '(__sdkctl_dynamic pinned-hosts)' -d 'Pin for this host, if the format does not name any'
complete -c sdkctl -n '__sdkctl_at \'pin import\'' -l replace -d 'Replace the pins of the same hosts'
complete -c sdkctl -n '__sdkctl_at \'pin import\'' -l strict -d 'Fail if something of the document is not used'
complete -c sdkctl -n '__sdkctl_at \'pin import\'' -s y -l yes -d 'Import without asking'
complete -c sdkctl -n '__sdkctl_at \'pin import\' 0' -F
complete -c sdkctl -n '__sdkctl_at \'pin export\'' -l format -x -a 'json curl hpkp okhttp okhttp-java android apple trustkit react-native tlsa openssl' -d 'Write this format (json by default)'
complete -c sdkctl -n '__sdkctl_at \'pin export\'' -l strict -d 'Fail if the format cannot express everything'
complete -c sdkctl -n '__sdkctl_at \'pin export\'' -a '(__sdkctl_dynamic pinned-hosts)'
complete -c sdkctl -n '__sdkctl_at \'identity\' 0' -a 'list' -d 'List the identities of the profile'
complete -c sdkctl -n '__sdkctl_at \'identity\' 0' -a 'show' -d 'Show an identity without its key'
complete -c sdkctl -n '__sdkctl_at \'identity\' 0' -a 'import' -d 'Store a client certificate with its key'
complete -c sdkctl -n '__sdkctl_at \'identity\' 0' -a 'export' -d 'Print an identity for another program'
complete -c sdkctl -n '__sdkctl_at \'identity\' 0' -a 'delete' -d 'Delete an identity and its key'
complete -c sdkctl -n '__sdkctl_at \'identity\' 0' -a 'csr' -d 'Make a key and a certificate request'
complete -c sdkctl -n '__sdkctl_at \'identity\' 0' -a 'check' -d 'Check whether identities can be used'
complete -c sdkctl -n '__sdkctl_at \'identity\' 0' -a 'renew' -d 'Renew identities before they expire'
complete -c sdkctl -n '__sdkctl_at \'identity\' 0' -a 'obtain' -d 'Obtain an identity from the enrolment service'
complete -c sdkctl -n '__sdkctl_at \'identity show\'' -l pem -d 'Print the certificates as PEM'
complete -c sdkctl -n '__sdkctl_at \'identity show\' 0' -a '(__sdkctl_dynamic identities)'
complete -c sdkctl -n '__sdkctl_at \'identity import\'' -l host -x -d 'Show it to this host, or to \'*.DOMAIN\''
complete -c sdkctl -n '__sdkctl_at \'identity import\'' -l name -x -d 'Name it, in place of its first host'
complete -c sdkctl -n '__sdkctl_at \'identity import\'' -l replace -d 'Replace an identity of the same name'
complete -c sdkctl -n '__sdkctl_at \'identity import\'' -s f -l force -d 'Accept a certificate that cannot be used now'
complete -c sdkctl -n '__sdkctl_at \'identity import\'' -l key-file -r -F -d 'Read the private key from this file'
complete -c sdkctl -n '__sdkctl_at \'identity import\'' -l chain -r -F -d 'Complete the chain from this file'
complete -c sdkctl -n '__sdkctl_at \'identity import\'' -l legacy -d 'Allow the old algorithms RC2, RC4 and DES'
complete -c sdkctl -n '__sdkctl_at \'identity import\'' -l password-stdin -d 'Read the password from standard input'
complete -c sdkctl -n '__sdkctl_at \'identity import\'' -l password-file -r -F -d 'Read the password from a file'
complete -c sdkctl -n '__sdkctl_at \'identity import\'' -l seal -d 'Encrypt the key under a passphrase'
complete -c sdkctl -n '__sdkctl_at \'identity import\'' -l passphrase-file -r -F -d 'Seal with the passphrase of a file'
complete -c sdkctl -n '__sdkctl_at \'identity import\' 0' -F
complete -c sdkctl -n '__sdkctl_at \'identity export\'' -l format -x -a 'pem pkcs12' -d 'Write pem or pkcs12'
complete -c sdkctl -n '__sdkctl_at \'identity export\'' -s o -l output -r -F -d 'Write to this file, mode 0600'
complete -c sdkctl -n '__sdkctl_at \'identity export\'' -l no-key -d 'Leave the private key out'
complete -c sdkctl -n '__sdkctl_at \'identity export\'' -l legacy -d 'Use 3DES and SHA-1 in a PKCS #12 file'
complete -c sdkctl -n '__sdkctl_at \'identity export\'' -l curl -d 'Print a configuration for curl -K'
complete -c sdkctl -n '__sdkctl_at \'identity export\'' -l env -x -a 'sh fish powershell' -d 'Print variables: sh, fish or powershell'
complete -c sdkctl -n '__sdkctl_at \'identity export\'' -l prefix -x -d 'Begin the variables with this'
complete -c sdkctl -n '__sdkctl_at \'identity export\'' -l password-stdin -d 'Read the new password from standard input'
complete -c sdkctl -n '__sdkctl_at \'identity export\'' -l password-file -r -F -d 'Read the new password from a file'
complete -c sdkctl -n '__sdkctl_at \'identity export\'' -l no-password -d 'Write a PKCS #12 file with an empty password'
complete -c sdkctl -n '__sdkctl_at \'identity export\'' -l passphrase-file -r -F -d 'Unseal with the passphrase of a file'
complete -c sdkctl -n '__sdkctl_at \'identity export\' 0' -a '(__sdkctl_dynamic identities)'
complete -c sdkctl -n '__sdkctl_at \'identity delete\'' -s y -l yes -d 'Delete without asking'
complete -c sdkctl -n '__sdkctl_at \'identity delete\' 0' -a '(__sdkctl_dynamic identities)'
complete -c sdkctl -n '__sdkctl_at \'identity csr\'' -l subject -x -d 'Ask for this subject: CN=alice,O=Example'
complete -c sdkctl -n '__sdkctl_at \'identity csr\'' -l key-type -x -a 'p256 p384 rsa2048 rsa3072 rsa4096 ed25519' -d 'Make a key of this type'
complete -c sdkctl -n '__sdkctl_at \'identity csr\'' -l host -x -d 'Show it to this host, or to \'*.DOMAIN\''
complete -c sdkctl -n '__sdkctl_at \'identity csr\'' -l same-key -d 'Use the key of the identity NAME again'
complete -c sdkctl -n '__sdkctl_at \'identity csr\'' -l der -d 'Print DER, not PEM'
complete -c sdkctl -n '__sdkctl_at \'identity csr\'' -l seal -d 'Encrypt the key under a passphrase'
complete -c sdkctl -n '__sdkctl_at \'identity csr\'' -l passphrase-file -r -F -d 'Seal or unseal with the passphrase of a file'
complete -c sdkctl -n '__sdkctl_at \'identity csr\'' -l dns -x -d 'Ask for this DNS name'
complete -c sdkctl -n '__sdkctl_at \'identity csr\'' -l email -x -d 'Ask for this mail address'
complete -c sdkctl -n '__sdkctl_at \'identity csr\'' -l uri -x -d 'Ask for this URI'
complete -c sdkctl -n '__sdkctl_at \'identity csr\'' -l ip -x -d 'Ask for this IP address'
complete -c sdkctl -n '__sdkctl_at \'identity csr\' 0' -a '(__sdkctl_dynamic identities)'
complete -c sdkctl -n '__sdkctl_at \'identity check\'' -l expires-in -x -d 'Count as due so long before the end: 30d, 75%'
complete -c sdkctl -n '__sdkctl_at \'identity check\'' -a '(__sdkctl_dynamic identities)'
complete -c sdkctl -n '__sdkctl_at \'identity renew\'' -l all -d 'Renew all identities that are due'
complete -c sdkctl -n '__sdkctl_at \'identity renew\'' -l within -x -d 'Renew only what is due: 30d, 75%'
complete -c sdkctl -n '__sdkctl_at \'identity renew\'' -l passphrase-file -r -F -d 'Unseal with the passphrase of a file'
complete -c sdkctl -n '__sdkctl_at \'identity renew\'' -a '(__sdkctl_dynamic identities)'
complete -c sdkctl -n '__sdkctl_at \'identity obtain\'' -l name -x -d 'Name it, in place of its host'
complete -c sdkctl -n '__sdkctl_at \'identity obtain\'' -l seal -d 'Encrypt the key under a passphrase'
complete -c sdkctl -n '__sdkctl_at \'identity obtain\'' -l passphrase-file -r -F -d 'Seal with the passphrase of a file'
complete -c sdkctl -n '__sdkctl_at \'register\' 0' -a 'show' -d 'Print what the server knows of the client'
complete -c sdkctl -n '__sdkctl_at \'register\' 0' -a 'update' -d 'Change the registration at the server'
complete -c sdkctl -n '__sdkctl_at \'register\' 0' -a 'user' -d 'Register a user in the browser'
complete -c sdkctl -n '__sdkctl_at \'register\'' -s f -l force -d 'Replace the registration if there is one'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l initial-access-token-stdin -d 'Read the initial access token from standard input'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l initial-access-token-file -r -F -d 'Read the initial access token from a file'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l scope -x -d 'Register this scope, not the profile\'s'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l client-name -x -d 'Set the name that people see'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l callback-port -x -d 'Register a fixed loopback port'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l redirect-uri -x -d 'Register this redirect URI'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l auth-method -x -a 'none client_secret_basic client_secret_post client_secret_jwt private_key_jwt tls_client_auth self_signed_tls_client_auth' -d 'Choose how the client proves itself'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l client-id -x -d 'Use a client that exists'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l client-secret-stdin -d 'Read the client\'s secret from standard input'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l client-secret-file -r -F -d 'Read the client\'s secret from a file'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l client-key-file -r -F -d 'Read the client\'s private key (PEM) from a file'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l client-certificate -r -F -d 'Use the certificate chain (PEM) of a file'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l certificate-san -x -a 'dns uri ip email' -d 'Register an alternative name, not the subject'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l encrypted-answers -d 'Have ID tokens and claims encrypted to this client'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l software-id -x -d 'Name the software, for all installations'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l software-version -x -d 'Set the software\'s version'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l software-statement-file -r -F -d 'Send the JWT that its publisher signed'
complete -c sdkctl -n '__sdkctl_at \'register\'' -l contact -x -d 'Set who is responsible for the client'
complete -c sdkctl -n '__sdkctl_at \'register update\'' -l scope -x -d 'Register this scope, not the profile\'s'
complete -c sdkctl -n '__sdkctl_at \'register update\'' -l client-name -x -d 'Set the name that people see'
complete -c sdkctl -n '__sdkctl_at \'register update\'' -l callback-port -x -d 'Register a fixed loopback port'
complete -c sdkctl -n '__sdkctl_at \'register update\'' -l redirect-uri -x -d 'Register this redirect URI'
complete -c sdkctl -n '__sdkctl_at \'register update\'' -l auth-method -x -a 'none client_secret_basic client_secret_post client_secret_jwt private_key_jwt tls_client_auth self_signed_tls_client_auth' -d 'Choose how the client proves itself'
complete -c sdkctl -n '__sdkctl_at \'register update\'' -l client-key-file -r -F -d 'Read the client\'s private key (PEM) from a file'
complete -c sdkctl -n '__sdkctl_at \'register update\'' -l client-certificate -r -F -d 'Use the certificate chain (PEM) of a file'
complete -c sdkctl -n '__sdkctl_at \'register update\'' -l certificate-san -x -a 'dns uri ip email' -d 'Register an alternative name, not the subject'
complete -c sdkctl -n '__sdkctl_at \'register update\'' -l encrypted-answers -d 'Have ID tokens and claims encrypted to this client'
complete -c sdkctl -n '__sdkctl_at \'register update\'' -l software-id -x -d 'Name the software, for all installations'
complete -c sdkctl -n '__sdkctl_at \'register update\'' -l software-version -x -d 'Set the software\'s version'
complete -c sdkctl -n '__sdkctl_at \'register update\'' -l software-statement-file -r -F -d 'Send the JWT that its publisher signed'
complete -c sdkctl -n '__sdkctl_at \'register update\'' -l contact -x -d 'Set who is responsible for the client'
complete -c sdkctl -n '__sdkctl_at \'register user\'' -l idp -x -d 'Use this identity provider'
complete -c sdkctl -n '__sdkctl_at \'register user\'' -l scope -x -d 'Ask for this scope, not the profile\'s'
complete -c sdkctl -n '__sdkctl_at \'register user\'' -l browser -d 'Open a browser (default)'
complete -c sdkctl -n '__sdkctl_at \'register user\'' -l no-browser -d 'Not: Open a browser (default)'
complete -c sdkctl -n '__sdkctl_at \'account\' 0' -a 'create' -d 'Create an account at the provider'
complete -c sdkctl -n '__sdkctl_at \'account\' 0' -a 'reset-password' -d 'Reset the password of an account'
complete -c sdkctl -n '__sdkctl_at \'account create\'' -l email -x -d 'Have the server write to this address'
complete -c sdkctl -n '__sdkctl_at \'account create\'' -l browser -d 'Open a browser (default)'
complete -c sdkctl -n '__sdkctl_at \'account create\'' -l no-browser -d 'Not: Open a browser (default)'
complete -c sdkctl -n '__sdkctl_at \'account reset-password\'' -l email -x -d 'Have the server write to this address'
complete -c sdkctl -n '__sdkctl_at \'account reset-password\'' -l browser -d 'Open a browser (default)'
complete -c sdkctl -n '__sdkctl_at \'account reset-password\'' -l no-browser -d 'Not: Open a browser (default)'
complete -c sdkctl -n '__sdkctl_at \'login\' 0' -a 'password' -d 'Log in with a user name and a password'
complete -c sdkctl -n '__sdkctl_at \'login\' 0' -a 'assertion' -d 'Log in with a signed assertion'
complete -c sdkctl -n '__sdkctl_at \'login\' 0' -a 'exchange' -d 'Log in with a token of another server'
complete -c sdkctl -n '__sdkctl_at \'login\' 0' -a 'respond' -d 'Complete a login that waits for a URL scheme'
complete -c sdkctl -n '__sdkctl_at \'login\' 0' -a 'install-handler' -d 'Register a URL scheme with the desktop'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l browser -d 'Open a browser (default)'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l no-browser -d 'Not: Open a browser (default)'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l device -d 'Show a code to enter on another device'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l manual -d 'Paste the address from a browser elsewhere'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l scheme -d 'Wait for {login respond}'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l scope -x -d 'Request this scope instead of the profile\'s'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l user -d 'Get the user\'s tokens (default)'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l implicit -d 'Get the user\'s implicit token'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l anonymous -d 'Get this installation\'s token'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l login-hint -x -d 'Tell the server who is about to log in'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l prompt -x -d 'Request login, consent, select_account or none'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l acr -x -d 'Require an authentication context'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l max-age -x -d 'Require a sign-in that is not older'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l idp -x -d 'Choose an identity provider (parameter idp)'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l resource -x -d 'Request tokens for this resource server'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l dpop -d 'Bind the tokens to a key (RFC 9449)'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l no-dpop -d 'Not: Bind the tokens to a key (RFC 9449)'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l authorization-details -x -d 'Request what scopes cannot express (RFC 9396)'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l callback-port -x -d 'Listen on this loopback port'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l response-mode -x -a 'query form_post query.jwt form_post.jwt' -d 'How the browser returns the response'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l par -d 'Send the request to the server first'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l no-par -d 'Not: Send the request to the server first'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l jar -d 'Sign the request with the client\'s key or secret'
complete -c sdkctl -n '__sdkctl_at \'login\'' -l no-jar -d 'Not: Sign the request with the client\'s key or secret'
complete -c sdkctl -n '__sdkctl_at \'login password\'' -l password-stdin -d 'Read the password from standard input'
complete -c sdkctl -n '__sdkctl_at \'login password\'' -l password-file -r -F -d 'Read the password from a file'
complete -c sdkctl -n '__sdkctl_at \'login password\'' -l scope -x -d 'Request this scope instead of the profile\'s'
complete -c sdkctl -n '__sdkctl_at \'login password\'' -l resource -x -d 'Request tokens for this resource server'
complete -c sdkctl -n '__sdkctl_at \'login password\'' -l dpop -d 'Bind the tokens to a key (RFC 9449)'
complete -c sdkctl -n '__sdkctl_at \'login password\'' -l no-dpop -d 'Not: Bind the tokens to a key (RFC 9449)'
complete -c sdkctl -n '__sdkctl_at \'login assertion\'' -l assertion-stdin -d 'Read the assertion from standard input'
complete -c sdkctl -n '__sdkctl_at \'login assertion\'' -l assertion-file -r -F -d 'Read the assertion from a file'
complete -c sdkctl -n '__sdkctl_at \'login assertion\'' -l subject -x -d 'Sign an assertion about this user'
complete -c sdkctl -n '__sdkctl_at \'login assertion\'' -l scope -x -d 'Request this scope instead of the profile\'s'
complete -c sdkctl -n '__sdkctl_at \'login assertion\'' -l resource -x -d 'Request tokens for this resource server'
complete -c sdkctl -n '__sdkctl_at \'login assertion\'' -l dpop -d 'Bind the tokens to a key (RFC 9449)'
complete -c sdkctl -n '__sdkctl_at \'login assertion\'' -l no-dpop -d 'Not: Bind the tokens to a key (RFC 9449)'
complete -c sdkctl -n '__sdkctl_at \'login exchange\'' -l token-stdin -d 'Read the token from standard input'
complete -c sdkctl -n '__sdkctl_at \'login exchange\'' -l token-file -r -F -d 'Read the token from a file'
complete -c sdkctl -n '__sdkctl_at \'login exchange\'' -l token-type -x -a 'access_token id_token jwt' -d 'What the token is (access_token by default)'
complete -c sdkctl -n '__sdkctl_at \'login exchange\'' -l audience -x -d 'Request tokens for this service'
complete -c sdkctl -n '__sdkctl_at \'login exchange\'' -l scope -x -d 'Request this scope instead of the profile\'s'
complete -c sdkctl -n '__sdkctl_at \'login exchange\'' -l resource -x -d 'Request tokens for this resource server'
complete -c sdkctl -n '__sdkctl_at \'login exchange\'' -l dpop -d 'Bind the tokens to a key (RFC 9449)'
complete -c sdkctl -n '__sdkctl_at \'login exchange\'' -l no-dpop -d 'Not: Bind the tokens to a key (RFC 9449)'
complete -c sdkctl -n '__sdkctl_at \'login install-handler\'' -l remove -d 'Undo the registration'
complete -c sdkctl -n '__sdkctl_at \'token\' 0' -a 'decode' -d 'Print the contents of a JWT'
complete -c sdkctl -n '__sdkctl_at \'token\' 0' -a 'verify' -d 'Verify signature and claims of tokens'
complete -c sdkctl -n '__sdkctl_at \'token\' 0' -a 'check' -d 'Test whether a token is good enough'
complete -c sdkctl -n '__sdkctl_at \'token\' 0' -a 'lint' -d 'Find what standards advise against in a token'
complete -c sdkctl -n '__sdkctl_at \'token\' 0' -a 'diff' -d 'Compare the contents of two tokens'
complete -c sdkctl -n '__sdkctl_at \'token\' 0' -a 'jwk' -d 'Convert, describe and make JSON Web Keys'
complete -c sdkctl -n '__sdkctl_at \'token\' 0' -a 'userinfo' -d 'Print the claims about the user'
complete -c sdkctl -n '__sdkctl_at \'token\'' -l header -d 'Print an Authorization header line'
complete -c sdkctl -n '__sdkctl_at \'token\'' -l curl -d 'Print a configuration for curl -K -'
complete -c sdkctl -n '__sdkctl_at \'token\'' -l env -x -a 'sh fish powershell' -d 'Print variables for sh, fish or powershell'
complete -c sdkctl -n '__sdkctl_at \'token\'' -l min-ttl -x -d 'Refresh a token that expires sooner'
complete -c sdkctl -n '__sdkctl_at \'token\'' -l force-new -d 'Refresh even if the token is valid'
complete -c sdkctl -n '__sdkctl_at \'token\'' -l user -d 'Print the user\'s tokens (default)'
complete -c sdkctl -n '__sdkctl_at \'token\'' -l implicit -d 'Print the user\'s implicit token'
complete -c sdkctl -n '__sdkctl_at \'token\'' -l anonymous -d 'Print this installation\'s token'
complete -c sdkctl -n '__sdkctl_at \'token\'' -l scope -x -d 'Request a token with this scope'
complete -c sdkctl -n '__sdkctl_at \'token\'' -l audience -x -d 'Request a token for this service'
complete -c sdkctl -n '__sdkctl_at \'token\'' -l proof-for -x -d 'Add the proof for a request with a bound token'
complete -c sdkctl -n '__sdkctl_at \'token decode\'' -l user -d 'Decode the user\'s tokens (default)'
complete -c sdkctl -n '__sdkctl_at \'token decode\'' -l implicit -d 'Decode the user\'s implicit token'
complete -c sdkctl -n '__sdkctl_at \'token decode\'' -l anonymous -d 'Decode this installation\'s token'
complete -c sdkctl -n '__sdkctl_at \'token decode\'' -l id-token -d 'Decode the stored ID token'
complete -c sdkctl -n '__sdkctl_at \'token decode\'' -l key -r -F -d 'Decrypt with this key: PEM, DER or JWK'
complete -c sdkctl -n '__sdkctl_at \'token decode\' 0' -F
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l id-token -d 'Verify the stored ID token'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l alg -x -a 'HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 ES256K EdDSA' -d 'Accept only this algorithm'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l leeway -x -d 'Accept clocks that differ so much (60)'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l at -x -d 'Check the times at TIME, not now'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l allow-no-exp -d 'Accept a token without expiration'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l user -d 'Verify the user\'s tokens (default)'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l implicit -d 'Verify the user\'s implicit token'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l anonymous -d 'Verify this installation\'s token'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l issuer -x -d 'Use the published keys of this issuer'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l jwks -r -F -d 'Use the keys of this JWK Set'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l key -r -F -d 'Use this key or certificate: PEM, DER or JWK'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l secret-file -r -F -d 'Read a shared secret (HS256) from a file'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l secret-stdin -d 'Read a shared secret from standard input'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l secret-base64 -d 'The shared secret is in base64'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l iss -x -d 'Require this issuer'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l aud -x -d 'Require one of these audiences'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l sub -x -d 'Require this subject'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l azp -x -d 'Require a token for this client'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l typ -x -d 'Require this type, such as at+jwt'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l nonce -x -d 'Require this nonce'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l access-token-file -r -F -d 'Require at_hash of this access token'
complete -c sdkctl -n '__sdkctl_at \'token verify\'' -l bound-to -r -F -d 'Require a binding to this certificate or key'
complete -c sdkctl -n '__sdkctl_at \'token verify\' 0' -F
complete -c sdkctl -n '__sdkctl_at \'token check\'' -l min-ttl -x -d 'Require that it is valid for longer'
complete -c sdkctl -n '__sdkctl_at \'token check\'' -l scope -x -d 'Require these values of the scope'
complete -c sdkctl -n '__sdkctl_at \'token check\'' -l aud -x -d 'Require one of these audiences'
complete -c sdkctl -n '__sdkctl_at \'token check\'' -l acr -x -d 'Require one of these authentication contexts'
complete -c sdkctl -n '__sdkctl_at \'token check\'' -l iss -x -d 'Require this issuer'
complete -c sdkctl -n '__sdkctl_at \'token check\'' -l id-token -d 'Test the stored ID token'
complete -c sdkctl -n '__sdkctl_at \'token check\'' -l user -d 'Test the user\'s tokens (default)'
complete -c sdkctl -n '__sdkctl_at \'token check\'' -l implicit -d 'Test the user\'s implicit token'
complete -c sdkctl -n '__sdkctl_at \'token check\'' -l anonymous -d 'Test this installation\'s token'
complete -c sdkctl -n '__sdkctl_at \'token check\' 0' -F
complete -c sdkctl -n '__sdkctl_at \'token lint\'' -l strict -d 'Fail on warnings too'
complete -c sdkctl -n '__sdkctl_at \'token lint\'' -l id-token -d 'Examine the stored ID token'
complete -c sdkctl -n '__sdkctl_at \'token lint\'' -l user -d 'Examine the user\'s tokens (default)'
complete -c sdkctl -n '__sdkctl_at \'token lint\'' -l implicit -d 'Examine the user\'s implicit token'
complete -c sdkctl -n '__sdkctl_at \'token lint\'' -l anonymous -d 'Examine this installation\'s token'
complete -c sdkctl -n '__sdkctl_at \'token lint\' 0' -F
complete -c sdkctl -n '__sdkctl_at \'token diff\'' -l id-token -d 'Compare with the stored ID token'
complete -c sdkctl -n '__sdkctl_at \'token diff\'' -l user -d 'Compare with the user\'s tokens (default)'
complete -c sdkctl -n '__sdkctl_at \'token diff\'' -l implicit -d 'Compare with the user\'s implicit token'
complete -c sdkctl -n '__sdkctl_at \'token diff\'' -l anonymous -d 'Compare with this installation\'s token'
complete -c sdkctl -n '__sdkctl_at \'token diff\' 0' -F
complete -c sdkctl -n '__sdkctl_at \'token diff\' 1' -F
complete -c sdkctl -n '__sdkctl_at \'token jwk\'' -l set -d 'Print a JWK Set'
complete -c sdkctl -n '__sdkctl_at \'token jwk\'' -l pem -d 'Print PEM'
complete -c sdkctl -n '__sdkctl_at \'token jwk\'' -l thumbprint -d 'Print thumbprints (RFC 7638)'
complete -c sdkctl -n '__sdkctl_at \'token jwk\'' -l x5t -d 'Print hashes of certificates (x5t#S256)'
complete -c sdkctl -n '__sdkctl_at \'token jwk\'' -l generate -x -a 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 ES256K EdDSA RSA-OAEP RSA-OAEP-256 ECDH-ES ECDH-ES+A128KW ECDH-ES+A192KW ECDH-ES+A256KW X25519' -d 'Make a key pair for this algorithm'
complete -c sdkctl -n '__sdkctl_at \'token jwk\'' -l private -d 'Include the private halves'
complete -c sdkctl -n '__sdkctl_at \'token jwk\'' -s o -l output -r -F -d 'Write to this file, with mode 0600'
complete -c sdkctl -n '__sdkctl_at \'token jwk\'' -l kid -x -d 'Set the key ID'
complete -c sdkctl -n '__sdkctl_at \'token jwk\'' -l use -x -a 'sig enc' -d 'Set the use: sig or enc'
complete -c sdkctl -n '__sdkctl_at \'token jwk\'' -l alg -x -d 'Set the algorithm'
complete -c sdkctl -n '__sdkctl_at \'token jwk\'' -F
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l user -d 'Fetch as the user'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l implicit -d 'Fetch with the user\'s implicit token'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l anonymous -d 'Fetch as this installation'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l unauth -d 'Fetch without a token'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -s X -l request -x -d 'Send this method'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -s H -l header -r -F -d 'Send header fields'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -s d -l data -r -F -d 'Send this body; - is standard input'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -s o -l output -r -F -d 'Write the body to a file'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l interactive -d 'Log in by browser if nothing else helps'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l identity -x -d 'Show this identity to servers that ask for one'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l no-identity -d 'Show no identity, and obtain none'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l param -x -d 'Send a parameter'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l encoding -x -a 'json form' -d 'Encode parameters of a body like this'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -s F -l form -r -F -d 'Send a field or a file of a form'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -s i -l include -d 'Write status and header fields before the body'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -s I -l head -d 'Send HEAD, and write status and header fields'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l fail -d 'Exit with 12 or 13 on an HTTP error (default)'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l no-fail -d 'Not: Exit with 12 or 13 on an HTTP error (default)'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -s r -l range -x -d 'Request a part of the body: 0-499, 500- or -500'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l compressed -d 'Let the server compress the body, and decode it'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l max-size -x -d 'Refuse a larger body (decoded)'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -s w -l write-out -r -F -d 'Write this after the body'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -s O -l remote-name -d 'Write to a file named as in the URL'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l output-dir -x -a '(__fish_complete_directories)' -d 'Put the file into this directory'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l create-dirs -d 'Create the directories of the file'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l clobber -d 'Replace an existing file (default)'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l no-clobber -d 'Not: Replace an existing file (default)'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l continue -d 'Keep a part of the file, and continue it'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l etag-save -r -F -d 'Save the ETag of the response'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l etag-compare -r -F -d 'Fetch only if the saved ETag has changed'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l retry -x -d 'Repeat after transient failures'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l connect-timeout -x -d 'Limit the time to connect (default 30)'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l resolve -x -d 'Use this address of a host'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l connect-to -x -d 'Connect to HOST2:PORT2 instead of HOST1:PORT1'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l dry-run -d 'Show the request; do not send it'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l as-curl -d 'Show a curl command; do not send it'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l batch -r -F -d 'Send the requests of a file, one per line'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l parallel -x -d 'Run at most this many at once (16)'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l parallel-max-host -x -d 'Run at most this many at once per host'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l rate -x -d 'Start at most this many per s, m, h or d'
complete -c sdkctl -n '__sdkctl_at \'fetch\'' -l fail-early -d 'Start no request after one has failed'
complete -c sdkctl -n '__sdkctl_at \'logout\'' -l user -d 'Revoke the user\'s tokens (default)'
complete -c sdkctl -n '__sdkctl_at \'logout\'' -l implicit -d 'Revoke the user\'s implicit token'
complete -c sdkctl -n '__sdkctl_at \'logout\'' -l anonymous -d 'Revoke this installation\'s token'
complete -c sdkctl -n '__sdkctl_at \'logout\'' -l local -d 'Erase the tokens only; do not ask the server'
complete -c sdkctl -n '__sdkctl_at \'logout\'' -l end-session -d 'End the session of the browser too'
complete -c sdkctl -n '__sdkctl_at \'deregister\'' -l local -d 'Erase everything here; do not ask the server'
complete -c sdkctl -n '__sdkctl_at \'deregister\'' -s y -l yes -d 'Delete without asking'
complete -c sdkctl -n '__sdkctl_at \'completion\' 0' -a 'bash zsh fish'
complete -c sdkctl -n '__sdkctl_at \'help\'' -s a -l all -d 'List subcommands, external commands and aliases'
complete -c sdkctl -n '__sdkctl_at \'help\'' -a '(__sdkctl_dynamic help)'
complete -c sdkctl -n '__sdkctl_at external' -F
