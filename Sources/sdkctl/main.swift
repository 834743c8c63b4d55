import Commands

await Main.run()
