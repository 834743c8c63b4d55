import Glibc
import Sandbox

exit(Program.run(Array(CommandLine.arguments.dropFirst())))
