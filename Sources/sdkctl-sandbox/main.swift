import Sandbox

await Program.main()
