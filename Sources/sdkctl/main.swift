import Commands

await Launch.run()
